// Bundles the verifier of exports into one script that needs Node alone: dist/verify-export.mjs, and a copy that the product serves.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './build-if-needed.mjs'

const name = 'verify-export.mjs'
await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: join(root, 'api/cli/verify-export.ts'),
    outDir: join(root, 'dist'),
    emptyOutDir: false,
    minify: false,
    target: 'node20',
    rolldownOptions: { output: { entryFileNames: name } },
  },
})
copyFileSync(join(root, 'dist', name), join(root, 'dist/web', name))
