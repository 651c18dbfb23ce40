import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { withCampaignReaders } from './session/early-page.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Modules bundled together. The bundler splits everything else by the routes and imports that use it. */
const GROUPS = [
  {
    name: 'libraries',
    test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(?:history|react-query|query-core|react-router|router-core|react-store|store)|i18next|react-i18next|zod|use-sync-external-store|clsx|tailwind-merge|class-variance-authority)\//,
  },
  // One file for each set of pages: signing in loads its own few.
  { name: 'icons', test: /node_modules\/lucide-react\//, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
  { name: 'forms', test: /node_modules\/(react-hook-form|@hookform)\// },
  // With all that every page needs: sixty small files cost a phone more than their bytes.
  { name: 'application', test: /\/web\/application\.tsx$/ },
]

/**
 * Removes the parts of date-fns' locales that format distances and parse dates: unused here, and a tenth of the Russian bundle.
 */
const writtenDatesOnly: Plugin = {
  name: 'written-dates-only',
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    /date-fns\/locale/.test(importer) && /_lib\/(formatDistance|formatRelative|match)\.js$/.test(source)
      ? '\0absent-from-locale'
      : null,
  load: (id) =>
    id === '\0absent-from-locale' ? 'export const formatDistance = null, formatRelative = null, match = null' : null,
}

/** Tests start builds too, in an environment for tests: with React for development, a page weighs half as much again. */
const forProduction: Plugin = {
  name: 'for-production',
  apply: 'build',
  config: () => {
    process.env['NODE_ENV'] = 'production'
  },
}

/** The server compares the host of a call with the Origin of its page (fine print 90). */
const API = { target: 'http://127.0.0.1:3000', changeOrigin: false }
const PROXY = { '/v1': API, '/help/docs': API }

const campaignReaders: Plugin = { name: 'campaign-readers', transformIndexHtml: withCampaignReaders }

export default defineConfig({
  root: here('.'),
  plugins: [
    tanstackRouter({
      target: 'react',
      routesDirectory: here('./routes'),
      generatedRouteTree: here('./routeTree.gen.ts'),
      routeFileIgnorePattern: String.raw`\.spec\.tsx$`,
      autoCodeSplitting: true,
      // Loaders are split with their pages, so that the sign-in page does not load them.
      codeSplittingOptions: { defaultBehavior: [['loader', 'component']] },
      quoteStyle: 'single',
      semicolons: false,
    }),
    forProduction,
    writtenDatesOnly,
    campaignReaders,
    react(),
    tailwindcss(),
  ],
  resolve: { alias: { '@': here('.') } },
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    manifest: true,
    // scripts/licences.mjs takes it.
    license: { fileName: 'licences.json' },
    target: 'es2023',
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  server: { proxy: PROXY },
  preview: { proxy: PROXY },
})
