// `npm test`: the gate. `npm run test:deep [-- --shard 2/4]`: what is too long for it. docs/testing.md says what is where.
import { existsSync } from 'node:fs'
import { parseCLI, startVitest } from 'vitest/node'
import { buildIfNeeded } from './build-if-needed.mjs'
import { Summary } from './test-summary.mjs'

const CIRCLES = {
  gate: { projects: ['unit', 'rows', 'server', 'web', 'web-replacing'], browser: 'e2e' },
  deep: { projects: ['deep', 'late', 'alone'], browser: 'e2e-deep' },
}
const [circle, ...given] = process.argv.slice(2)
const { projects, browser } = CIRCLES[circle]

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
else process.env.CHROMIUM_PATH = chromium

buildIfNeeded()
const { filter, options } = parseCLI(['vitest', 'run', ...given])
// A reporter of the command line would take the place of these.
const { reporter = ['default'], ...others } = options
const summary = new Summary()
const vitest = await startVitest('test', filter, {
  ...others,
  project: [...projects, ...(chromium === undefined ? [] : [browser])],
  reporters: [...[reporter].flat(), summary],
})
await vitest.close()
process.exit(summary.passed ? 0 : 1)
