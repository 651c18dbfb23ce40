import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What every page needs: together they are smaller, and a new version of the product leaves them in browsers' caches. */
const EVERYWHERE =
  /node_modules\/(react|react-dom|scheduler|@tanstack|i18next|react-i18next|zod|use-sync-external-store|clsx|tailwind-merge|class-variance-authority)\//

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
    react(),
    tailwindcss(),
  ],
  resolve: { alias: { '@': here('.') } },
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'libraries', test: EVERYWHERE }] } } },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
  preview: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
})
