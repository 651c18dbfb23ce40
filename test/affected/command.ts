import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../support/product-process.ts'
import { affected } from './affected.ts'

/**
 * Runs the specs of the deep circle that the change touches since the commit of `.ci/base`, the newest whose deep circle passed whole;
 * all of them when that commit is unknown. Nearest first, for at most AFFECTED_MINUTES (20); names what did not fit.
 */
const MINUTES = Number(process.env['AFFECTED_MINUTES'] ?? 20)
/** Specs of one run of the runner: each run starts a database, and only whole runs tell what passed. */
const AT_ONCE = 12
const PROJECTS = ['deep', 'late', 'alone', 'e2e-deep']

const began = Date.now()
const left = () => began + MINUTES * 60_000 - Date.now()

const touched = affected(deepSpecs(), changes())
console.log(`The change touches ${touched.length} specs of the deep circle.`)
let [failed, ran] = [false, 0]
while (ran < touched.length && left() > 0) {
  const these = touched.slice(ran, ran + AT_ONCE)
  const { status, error } = spawnSync(process.execPath, ['scripts/test.mjs', 'deep', ...these], {
    cwd: root,
    stdio: 'inherit',
    timeout: left(),
  })
  if (error !== undefined) break
  failed ||= status !== 0
  ran += these.length
}
const rest = touched.slice(ran)
if (rest.length > 0) console.log(`\nDid not fit into ${MINUTES} minutes:\n${rest.map((spec) => `  ${spec}`).join('\n')}`)
console.log(`\nDeep specs that the change touches: ${ran} of ${touched.length} ran, ${failed ? 'some failed' : 'none failed'}.`)
process.exit(failed ? 1 : 0)

function deepSpecs(): readonly string[] {
  const list = [
    'node_modules/vitest/vitest.mjs',
    'list',
    '--filesOnly',
    '--json',
    ...PROJECTS.flatMap((name) => ['--project', name]),
  ]
  const files: readonly { readonly file: string }[] = JSON.parse(String(execFileSync(process.execPath, list, { cwd: root })))
  return [...new Set(files.map(({ file }) => relative(root, file)))].sort()
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
