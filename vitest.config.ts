import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const web = fileURLToPath(new URL('./web', import.meta.url))

/** A database of its own for each file, on one server for all. */
const onServer = {
  globalSetup: ['test/support/global-postgres.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: [
            '{domain,eventstore,commands,projections,api,platform,migrations}/**/*.spec.ts',
            'test/{api,contract,fuzz,golden,ledger,properties}/**/*.spec.ts',
            'test/*.spec.ts',
          ],
          ...onServer,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'medium',
          include: ['test/{medium,chaos}/**/*.spec.ts'],
          ...onServer,
          // Many of them start processes of their own, and some measure time.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve: { alias: { '@': web } },
        test: {
          name: 'web',
          environment: 'happy-dom',
          include: ['web/**/*.spec.{ts,tsx}'],
          setupFiles: ['web/test/setup.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.spec.ts'],
          globalSetup: ['test/support/global-postgres.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
