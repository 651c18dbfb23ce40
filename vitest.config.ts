import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const web = fileURLToPath(new URL('./web', import.meta.url))

/** A database of its own for each file, on one server for all. */
const onServer = {
  globalSetup: ['test/support/global-postgres.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

/** They measure time, or have both cores at work themselves. */
const ALONE = [
  'test/chaos/**/*.spec.ts',
  'test/medium/{leases,rebuild,roles-killed,kill-product,kill-writer,projector-thread}.spec.ts',
]

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
          include: ['test/medium/**/*.spec.ts'],
          exclude: ALONE,
          ...onServer,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'alone',
          include: ALONE,
          ...onServer,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
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
          sequence: { groupOrder: 3 },
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
