import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../support/product-process.ts'
import { DEEP, projectsOfSpecs } from '../support/specs.ts'
import { affected } from './affected.ts'

/**
 * Runs the specs of the deep circle that the change touches since the commit of `.ci/base`, the newest whose deep circle passed whole;
 * all of them when that commit is unknown. Nearest first, for at most AFFECTED_MINUTES (20); names what did not fit.
 */
const MINUTES = Number(process.env['AFFECTED_MINUTES'] ?? 20)
if (!(MINUTES > 0)) throw new Error('AFFECTED_MINUTES is a number of minutes')
/** Specs of one run of the runner: each run starts a database, and only whole runs tell what passed. */
const AT_ONCE = 12

const began = Date.now()
const left = () => began + MINUTES * 60_000 - Date.now()

const deepSpecs = [...projectsOfSpecs()]
  .flatMap(([spec, projects]) => (projects.some((name) => DEEP.includes(name)) ? [spec] : []))
  .sort()
const touched = affected(deepSpecs, changes())
console.log(`The change touches ${touched.length} specs of the deep circle.`)
const failed: string[] = []
const ran = new Set<string>()
for (let next = 0; next < touched.length && left() > 0; next += AT_ONCE) {
  const these = touched.slice(next, next + AT_ONCE)
  const { results, ended } = await run(these)
  for (const { file, failed: names } of results) {
    ran.add(file)
    failed.push(...names)
  }
  if (ended === 'in time') break
  const missing = these.filter((spec) => !ran.has(spec))
  if (ended === 'failed') failed.push(...missing.map((spec) => `${spec} did not end`))
  if (ended === 'failed' && failed.length === 0) failed.push('the run, in no test')
}
const rest = touched.filter((spec) => !ran.has(spec))
if (rest.length > 0) console.log(`\nDid not fit into ${MINUTES} minutes:\n${named(rest)}`)
if (failed.length > 0) console.log(`\nFailed:\n${named(failed)}`)
console.log(
  `\nDeep specs that the change touches: ${ran.size} of ${touched.length} ran, ${failed.length > 0 ? 'some failed' : 'none failed'}.`,
)
process.exit(failed.length > 0 ? 1 : 0)

/** Runs specs until they end or the time is over (`in time`); what ended until then counts. */
async function run(these: readonly string[]) {
  const file = join(mkdtempSync(join(tmpdir(), 'placard-affected-')), 'results')
  // Its own group: the workers of a run that is broken off end with it.
  const child = spawn(process.execPath, ['scripts/test.mjs', 'deep', ...these], {
    cwd: root,
    stdio: 'inherit',
    detached: true,
    env: { ...process.env, TEST_RESULTS: file },
  })
  const end = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal)
  }
  let isOver = false
  const timers = [
    setTimeout(() => {
      isOver = true
      end('SIGTERM')
    }, left()),
    setTimeout(() => end('SIGKILL'), left() + 15_000),
  ]
  const stop = () => {
    end('SIGKILL')
    process.exit(1)
  }
  const stops = ['SIGINT', 'SIGTERM'] as const
  for (const signal of stops) process.on(signal, stop)
  const [status] = (await once(child, 'exit')) as [number | null]
  for (const signal of stops) process.off(signal, stop)
  timers.forEach(clearTimeout)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  const results = lines.map((line): { readonly file: string; readonly failed: readonly string[] } => JSON.parse(line))
  return { results, ended: isOver ? ('in time' as const) : status === 0 ? ('passed' as const) : ('failed' as const) }
}

function named(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n')
}

/** The files that differ from the base, uncommitted ones too. Without a known base, what makes all specs run. */
function changes(): readonly string[] {
  try {
    const base = readFileSync(join(root, '.ci/base'), 'utf8').trim()
    return [...git('diff', '--name-only', '--no-renames', base, '--'), ...git('ls-files', '--others', '--exclude-standard')]
  } catch {
    console.log('No commit is known whose deep circle passed whole: every spec counts as touched.')
    return ['package.json']
  }
}

function git(...args: readonly string[]): readonly string[] {
  return String(execFileSync('git', [...args], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }))
    .split('\n')
    .filter((line) => line !== '')
}
