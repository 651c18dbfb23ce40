import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from '../support/product-process.ts'
import { DEEP, projectsOfSpecs } from '../support/specs.ts'
import { affected } from './affected.ts'

/**
 * Runs the specs of the deep circle that the change touches since the commit of `.ci/base`, the newest whose deep circle passed whole;
 * all of them when that commit is unknown. Nearest first, for at most AFFECTED_MINUTES (20); names what did not fit.
 */
const MINUTES = Number(process.env['AFFECTED_MINUTES'] ?? 20)
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
let ran = 0
while (ran < touched.length && left() > 0) {
  const these = touched.slice(ran, ran + AT_ONCE)
  const report = join(mkdtempSync(join(tmpdir(), 'placard-affected-')), 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status, error } = spawnSync(process.execPath, ['scripts/test.mjs', 'deep', ...reporters, ...these], {
    cwd: root,
    stdio: 'inherit',
    timeout: left(),
  })
  if (error !== undefined) break
  if (status !== 0) failed.push(...failedIn(report))
  ran += these.length
}
const rest = touched.slice(ran)
if (rest.length > 0) console.log(`\nDid not fit into ${MINUTES} minutes:\n${named(rest)}`)
if (failed.length > 0) console.log(`\nFailed:\n${named(failed)}`)
console.log(
  `\nDeep specs that the change touches: ${ran} of ${touched.length} ran, ${failed.length > 0 ? 'some failed' : 'none failed'}.`,
)
process.exit(failed.length > 0 ? 1 : 0)

function named(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n')
}

/** Names of the tests that failed in a run, by its report. */
function failedIn(report: string): readonly string[] {
  type Result = {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }
  const { testResults }: { readonly testResults: readonly Result[] } = JSON.parse(readFileSync(report, 'utf8'))
  const names = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => `${relative(root, name)} > ${fullName}`),
  )
  return names.length > 0 ? names : ['the run, in no test']
}

/** The files that differ from the base, uncommitted ones too. Without a known base, what makes all specs run. */
function changes(): readonly string[] {
  try {
    const base = readFileSync(join(root, '.ci/base'), 'utf8').trim()
    return git('diff', '--name-only', '--no-renames', base, '--')
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
