// Installs the generator of OpenAPI clients for tests: `node scripts/openapi-tools.mjs`. It needs an older TypeScript than
// Placard's, so it gets a folder of its own.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../.openapi-tools', import.meta.url))
mkdirSync(folder, { recursive: true })
const dependencies = { 'openapi-typescript': '7.13.0', typescript: '5.9.3' }
writeFileSync(`${folder}/package.json`, `${JSON.stringify({ private: true, dependencies }, null, 2)}\n`)
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'], {
  cwd: folder,
  stdio: 'inherit',
})
