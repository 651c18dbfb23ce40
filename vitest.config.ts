import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const web = fileURLToPath(new URL('./web', import.meta.url))

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['{domain,eventstore,commands,projections,api,platform,migrations,test}/**/*.spec.ts'],
          exclude: ['test/e2e/**', '**/node_modules/**'],
          globalSetup: ['test/support/global-postgres.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve: { alias: { '@': web } },
        test: {
          name: 'web',
          environment: 'happy-dom',
          include: ['web/**/*.spec.{ts,tsx}'],
          setupFiles: ['web/test/setup.ts'],
          // They wait for nothing but the processor; the server's share it with a database, and measure time.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
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
