// `npm test`: every test without a browser, and the browser tests when a Chromium is found (CI requires one).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfNeeded, root } from './build-if-needed.mjs'

const chromium = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path))
if (chromium === undefined && process.env.CI === 'true') {
  console.error('No Chromium was found: CI requires the browser tests. Install Chromium or set CHROMIUM_PATH.')
  process.exit(1)
}
if (chromium === undefined) console.log('No Chromium was found: the browser tests are skipped. Set CHROMIUM_PATH to run them.')

buildIfNeeded()
const folder = mkdtempSync(join(tmpdir(), 'placard-test-'))
const only = process.argv.slice(2)
// The browser tests run after the others (vitest.config.ts): together they would overload two cores.
const projects = ['rows', 'server', 'medium', 'late', 'alone', 'web', 'web-replacing', ...(chromium === undefined ? [] : ['e2e'])]
const report = join(folder, 'report.json')
const run = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...only,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }) } },
)
const {
  numPassedTests: passed = 0,
  numFailedTests = 0,
  numPendingTests: skipped = 0,
} = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
// A run can fail without a failed test.
const failed = run.status === 0 ? 0 : Math.max(numFailedTests, 1)
rmSync(folder, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(failed === 0 ? 0 : 1)
