import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

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
  build: { outDir: here('../dist/web'), emptyOutDir: true, manifest: true, target: 'es2023' },
  server: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
  preview: { proxy: { '/v1': 'http://127.0.0.1:3000' } },
})
