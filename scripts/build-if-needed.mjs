// Builds what is missing or older than its sources, so that the second start is fast.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Sources that the server is compiled from: a room that is missing here would go on running as it was built before. */
const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'))

const PARTS = [
  {
    name: 'server',
    output: 'dist/server/api/main.js',
    sources: [...include.map((pattern) => pattern.split('/')[0]), 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
    script: 'build:server',
  },
  {
    name: 'web',
    output: 'dist/web/index.html',
    sources: ['web', 'api/contract', 'domain', 'commands/formats', 'proof/offline', 'package-lock.json'],
    script: 'build:web',
  },
]

function newest(path) {
  if (!existsSync(path)) return 0
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return readdirSync(path, { withFileTypes: true }).reduce((time, entry) => {
    // The router plugin writes the route tree during a build: it is a result, not a source.
    if (entry.name === 'node_modules' || entry.name === 'routeTree.gen.ts' || /\.spec\.tsx?$/.test(entry.name)) return time
    return Math.max(time, newest(join(path, entry.name)))
  }, 0)
}

/** Whether a part was built after the last change of its sources. */
const isBuilt = ({ output, sources }) => {
  const file = join(root, output)
  const built = existsSync(file) ? statSync(file).mtimeMs : 0
  return built > Math.max(...sources.map((source) => newest(join(root, source))))
}

/** Files and folders whose change makes a part be built again. */
export const sourcesOf = (wanted) => PARTS.find(({ name }) => name === wanted)?.sources ?? []

/** Builds the named parts that need it; exits with the failing step's code. */
export function buildIfNeeded(names = ['server', 'web']) {
  for (const part of PARTS.filter(({ name }) => names.includes(name))) {
    if (isBuilt(part)) continue
    const began = performance.now()
    process.stdout.write(`Building ${part.name} … `)
    const step = spawnSync('npm', ['run', '--silent', part.script], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
    if (step.status !== 0) {
      console.error(`failed\n${step.stdout ?? ''}${step.stderr ?? ''}`)
      process.exit(step.status ?? 1)
    }
    console.log(`${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
}
