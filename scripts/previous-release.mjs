// `npm run previous [-- <revision> [<spec> …]]`: the specs of the API of an earlier build, by default the latest release, on the schema of this
// one. Processes of both builds run during an upgrade (docs/upgrading.md), so each migration must leave what the earlier build reads and
// writes. Works in a temporary worktree. Exit code 0 when all passed, or when there is no release; 1 when not.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = process.env.PREVIOUS_ROOT ?? join(import.meta.dirname, '..')
/** Prepares the databases of tests, by the migrations of the build in TEST_SCHEMA_OF. */
const SEAM = 'test/support/global-postgres.ts'
const SPECS = ['test/api']

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

function commitOf(revision) {
  try {
    return git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`)
  } catch {
    console.error(`${revision} is no revision of this repository`)
    process.exit(1)
  }
}

/** The latest release that is not this very commit: right after a release, the one before it. Undefined without one. */
function latestRelease() {
  const tags = git('tag', '--list', 'v*', '--sort=-version:refname', '--merged', 'HEAD').split('\n')
  return tags.find((tag) => tag !== '' && git('rev-parse', `${tag}^{commit}`) !== git('rev-parse', 'HEAD'))
}

const [given, ...named] = process.argv.slice(2)
const revision = given ?? latestRelease()
if (revision === undefined) {
  console.log('Skipped: there is no earlier release. Name a revision: npm run previous -- <revision>')
  process.exit(0)
}
const commit = commitOf(revision)
const folder = mkdtempSync(join(tmpdir(), 'placard-previous-'))
const build = join(folder, 'build')

/** Runs a command in the earlier build; answers whether it succeeded. */
const run = (command, args, env = {}) =>
  spawnSync(command, args, { cwd: build, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0

function check() {
  git('worktree', 'add', '--detach', build, commit)
  if (!readFileSync(join(build, SEAM), 'utf8').includes('TEST_SCHEMA_OF')) {
    console.log(`${revision} cannot take the schema of another build: its ${SEAM} is replaced by that of this one.`)
    copyFileSync(join(root, SEAM), join(build, SEAM))
  }
  if (!run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'])) {
    console.error(`The packages of ${revision} could not be installed.`)
    return false
  }
  const specs = named.length > 0 ? named : SPECS
  return run('npx', ['vitest', 'run', '--project', 'server', ...specs], { TEST_SCHEMA_OF: root })
}

let passed = false
try {
  passed = check()
} finally {
  spawnSync('git', ['worktree', 'remove', '--force', build], { cwd: root })
  rmSync(folder, { recursive: true, force: true })
}
console.log(passed ? `${revision} works on the schema of this build.` : `Failed: ${revision} on the schema of this build.`)
process.exit(passed ? 0 : 1)
