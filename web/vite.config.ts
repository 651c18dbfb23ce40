import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * What goes together into a file: what every page needs, what already the first one needs of ours, and the small things that most others share. Many small files
 * weigh more than their sum, and every one is a request. `npm run bench -- web` tells what each page loads.
 */
const TOGETHER = [
  {
    name: 'libraries',
    priority: 2,
    test: /node_modules\/(react|react-dom|scheduler|@tanstack|i18next|react-i18next|zod|use-sync-external-store|clsx|tailwind-merge|class-variance-authority)\/|vite\/preload-helper/,
  },
  {
    name: 'start',
    priority: 1,
    test: /\/web\/(data\/(client|answer|position|app-error|query-client)|session\/(early|token-store|session-queries|permissions|return-path)|lib\/(cn|toast|search-text|date-range)|i18n\/(setup|en-frame|add-texts|date-names|error-text|look-up)|theme\/|components\/(ui\/(button|field|notice)|load-error|route-states|page-header|brand-mark)|routes\/[^?]*$|router|routeTree)|\/api\/contract\/(http|session|zod)\./,
  },
  {
    name: 'frame',
    priority: 0,
    minShareCount: 3,
    test: /\/web\/(data(?!\/administration)|session\/(?!sign|public|log)|lib|app\/(frame|shortcuts))\/|\/web\/(i18n\/format|components\/(ui\/(skeleton|empty-state|status-dot)|status-text|data-table|later))|\/domain\/campaign\/(content\/(dates|options)|status\/status)|lucide-react|date-fns/,
  },
  {
    // The rest of what stands around every page.
    name: 'page',
    priority: -1,
    includeDependenciesRecursively: false,
    test: /\/(app\/(frame\/(app-|use-|user-menu\.|pages\.)|palette\/palette-button)|features\/campaigns\/(campaign-queries|shown-campaign))|\/contract\/(audit|campaign|campaign-list|reports)\.|\/i18n\/use-language/,
  },
  {
    // Of the form and of moderation, which shows differences in its terms.
    name: 'campaign',
    priority: -2,
    includeDependenciesRecursively: false,
    test: /\/form\/slices\/wire-paths|\/form\/creatives\/wire-values|\/tabs\/(frequency|geography|native|placement|responsive|targeting|video)\/[a-z-]*slice\.|\/tabs\/(frequency|geography|placement|targeting)\/[a-z]*-labels|\/domain\/campaign\/(saving\/(faults|save-rules)|content\/(media-rules|targeting-rules))|\/domain\/bidding\/(bidding-faults|filters|ip-range)|\/i18n\/texts\/form|\/locales\/en\/(creatives|form|frequency|geography|placement|targeting)\./,
  },
  {
    name: 'form',
    priority: -3,
    // Only these: what they import and others use too has its own place.
    includeDependenciesRecursively: false,
    test: /node_modules\/(react-hook-form|@hookform)\/|\/form\/(form-(?!tabs|search)|campaign-(form|edit-page|status-header|form-context)|error-summary|focus-field|field-label|use-|tab-content|performance-strip|draft\/|slices\/|creatives\/uploads|tabs\/(setup\/|form-section|[a-z]*\/[a-z]*-labels|administration\/(owner-mapping|administration-slice)|bidding\/(bidding-slice|multiplier|draft\.)|tracks\/tracks-slice))|\/campaigns\/use-performance|\/domain\/campaign\/content\/attribution|\/components\/(toggle-row|ui\/switch|confirm-dialog\.)/,
  },
]

/**
 * Of date-fns' locales only what writing dates asks for: nothing here tells distances or reads dates by the names of months, and what does would be a
 * tenth of the Russian bundle.
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

export default defineConfig({
  root: here('.'),
  plugins: [
    tanstackRouter({
      target: 'react',
      routesDirectory: here('./routes'),
      generatedRouteTree: here('./routeTree.gen.ts'),
      autoCodeSplitting: true,
      // Loaders go with their pages: what signs in does not need to know how campaigns are asked for.
      codeSplittingOptions: { defaultBehavior: [['loader', 'component']] },
      quoteStyle: 'single',
      semicolons: false,
    }),
    writtenDatesOnly,
    react(),
    tailwindcss(),
  ],
  resolve: { alias: { '@': here('.') } },
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    rolldownOptions: { output: { codeSplitting: { groups: TOGETHER } } },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
  preview: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
})
