import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const web = fileURLToPath(new URL('./web', import.meta.url))

/** The server's rooms, from their one list. */
const { include: rooms } = JSON.parse(readFileSync(new URL('./tsconfig.build.json', import.meta.url), 'utf8'))

/** A database of its own for each file, on one server for all. */
const onServer = {
  globalSetup: ['test/support/global-postgres.ts'],
  setupFiles: ['test/support/fixed-seed.ts'],
  testTimeout: 60_000,
  hookTimeout: 120_000,
}

/** Loading what is tested is a third of what the tests take: files of one worker share it, and what its modules remember. */
const SHARED = { isolate: false }

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
  setupFiles: ['web/test/setup.ts', 'test/support/fixed-seed.ts'],
  testTimeout: 60_000,
  maxWorkers: 2,
  sequence: { groupOrder: 3 },
}

/** Read models from events to rows: files of one worker share a database too. */
const ROWS = ['projections/**/*.rows.spec.ts']

/** They measure time or space, or have both cores at work themselves. */
const ALONE = [
  'test/chaos/{chaos,mutants,neighbours,operators-day}.spec.ts',
  'test/medium/{leases,rebuild,roles-killed,kill-product,kill-writer,projector-thread,simulated-day,table-growth,warm-start}.spec.ts',
]

export default defineConfig({
  resolve: { alias: { '@': web } },
  test: {
    // The default of a second is too short for a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // A busy machine may miss a moment: CI tries once more and prints "(retry x1)". A property that failed stays failed.
    retry: process.env['CI'] === 'true' ? { count: 1, condition: /^(?!Property failed)/ } : 0,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: [
            `{${rooms.join()}}/**/*.spec.ts`,
            'test/{api,contract,fuzz,golden,ledger,properties}/**/*.spec.ts',
            'test/chaos/check-history.spec.ts',
            'test/*.spec.ts',
          ],
          exclude: ROWS,
          ...onServer,
          ...SHARED,
          // One more than the cores of CI: many tests wait for a clock.
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: { name: 'rows', include: ROWS, ...onServer, ...SHARED, maxWorkers: 2, sequence: { groupOrder: 5 } },
      },
      {
        extends: true,
        test: {
          name: 'medium',
          include: ['test/medium/**/*.spec.ts'],
          exclude: ALONE,
          ...onServer,
          ...SHARED,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          // The same tests while every read model is late.
          name: 'late',
          include: ['test/api/campaign-story.spec.ts'],
          env: { PROJECTION_LAG_MS: '1000' },
          ...onServer,
          testTimeout: 60_000,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          ...onServer,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: { name: 'web', include: ['web/**/*.spec.{ts,tsx}'], exclude: REPLACING, ...inThePage, ...SHARED },
      },
      {
        extends: true,
        test: { name: 'web-replacing', include: REPLACING, ...inThePage },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.spec.ts'],
          globalSetup: ['test/support/global-postgres.ts'],
          ...SHARED,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
