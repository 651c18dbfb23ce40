import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { ByProduct } from './test/support/by-product.ts'
import { ALONE, DEEP_SERVER, DEEP_UNIT, GATE_E2E, GATE_MEDIUM, NEEDS_POSTGRES } from './test/circles.ts'

const web = fileURLToPath(new URL('./web', import.meta.url))

/** The server's rooms, from their one list. */
const { include: rooms } = JSON.parse(readFileSync(new URL('./tsconfig.build.json', import.meta.url), 'utf8'))

/** They apply events to tables. */
const ROWS = [`{${rooms.join()}}/**/*.rows.spec.ts`]

/** Loading what is tested is a third of what the tests take: files of one worker share it, and what its modules remember. */
const SHARED = { isolate: false }

const SETUP = ['test/support/fixed-seed.ts', 'test/support/retries.ts']

/** A database of its own for each file, on one server for all. */
const onServer = { globalSetup: ['test/support/global-postgres.ts'], setupFiles: SETUP }

/** Only what ran out of time, once; `test/support/retries.ts` excepts what must never pass by luck, and the run names each. */
const AFTER_TIMEOUT = { retry: { count: 1, condition: /(Test|Hook) timed out in \d+ms/ } }

const PURE = [
  'test/*.spec.ts',
  'test/{affected,golden,ledger,contract,fuzz,properties}/**/*.spec.ts',
  'test/chaos/check-history.spec.ts',
]

/** They replace modules. */
const REPLACING = ['web/features/campaigns/form/form-drawing.spec.tsx']

/** From version 25 on Node has a `localStorage` of its own, undefined without a file, which hides the page's. */
const OWN_STORAGE = '--no-experimental-webstorage'

const inThePage = {
  environment: 'happy-dom',
  // A click on a download would lead the page, which the files of one worker share, to `blob:file`.
  environmentOptions: {
    happyDOM: { settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } } },
  },
  execArgv: process.allowedNodeEnvironmentFlags.has(OWN_STORAGE) ? [OWN_STORAGE] : [],
  setupFiles: ['web/test/setup.ts', ...SETUP],
  ...AFTER_TIMEOUT,
}

const inTheBrowser = {
  globalSetup: ['test/support/global-postgres.ts'],
  setupFiles: SETUP,
  ...SHARED,
  ...AFTER_TIMEOUT,
  maxWorkers: 2,
}

/** The projects of `npm test`. */
const GATE = [
  {
    name: 'unit',
    include: [`{${rooms.join()}}/**/*.spec.ts`, ...PURE],
    exclude: [...ROWS, ...NEEDS_POSTGRES, ...DEEP_SERVER, ...DEEP_UNIT],
    setupFiles: SETUP,
    ...SHARED,
    maxWorkers: 2,
  },
  {
    name: 'rows',
    include: ROWS,
    ...onServer,
    ...SHARED,
    maxWorkers: 2,
  },
  {
    name: 'server',
    include: ['test/api/**/*.spec.ts', ...NEEDS_POSTGRES, ...GATE_MEDIUM],
    exclude: DEEP_SERVER,
    ...onServer,
    ...SHARED,
    ...AFTER_TIMEOUT,
  },
  {
    name: 'web',
    include: ['web/**/*.spec.{ts,tsx}'],
    exclude: REPLACING,
    ...inThePage,
    ...SHARED,
  },
  { name: 'web-replacing', include: REPLACING, ...inThePage },
  { name: 'e2e', include: GATE_E2E, ...inTheBrowser },
]

/** The projects of `npm run test:deep`. */
const DEEP = [
  {
    name: 'deep',
    include: [...DEEP_SERVER, ...DEEP_UNIT, 'test/medium/**/*.spec.ts'],
    exclude: [...ALONE, ...GATE_MEDIUM],
    ...onServer,
    ...SHARED,
    ...AFTER_TIMEOUT,
  },
  {
    // The same tests while every read model is late.
    name: 'late',
    include: ['test/api/campaign-story.spec.ts'],
    env: { PROJECTION_LAG_MS: '1000' },
    ...onServer,
    ...AFTER_TIMEOUT,
  },
  { name: 'alone', include: ALONE, ...onServer, maxWorkers: 1 },
  {
    name: 'e2e-deep',
    include: ['test/e2e/**/*.spec.ts'],
    exclude: GATE_E2E,
    ...inTheBrowser,
  },
]

export default defineConfig({
  resolve: { alias: { '@': web } },
  test: {
    // The default of a second is too short for a busy machine.
    expect: { poll: { timeout: 60_000 } },
    // Limits against what hangs, not bounds: a machine with other work must not meet them.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // One more than the cores of CI: many tests wait for a clock.
    maxWorkers: 3,
    sequence: { sequencer: ByProduct },
    // Projects and runs transform the same modules.
    experimental: { fsModuleCache: true },
    // One after the other: a worker that changes projects would load everything again.
    projects: [...GATE, ...DEEP].map((test, groupOrder) => ({ extends: true, test: { ...test, sequence: { groupOrder } } })),
  },
})
