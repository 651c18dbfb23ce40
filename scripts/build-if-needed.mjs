// Builds what is missing or older than its sources, so that the second start is fast.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const PARTS = [
  {
    name: 'server',
    output: 'dist/server/api/main.js',
    sources: [
      'domain',
      'eventstore',
      'commands',
      'projections',
      'api',
      'platform',
      'migrations',
      'tsconfig.json',
      'tsconfig.build.json',
      'package-lock.json',
    ],
    script: 'build:server',
  },
  {
    name: 'web',
    output: 'dist/web/index.html',
    sources: ['web', 'api/contract', 'domain', 'package-lock.json'],
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

/** Builds the named parts that need it; exits with the failing step's code. */
export function buildIfNeeded(names = ['server', 'web']) {
  for (const part of PARTS.filter(({ name }) => names.includes(name))) {
    const output = join(root, part.output)
    const built = existsSync(output) ? statSync(output).mtimeMs : 0
    if (built > Math.max(...part.sources.map((source) => newest(join(root, source))))) continue
    console.log(`Building ${part.name} …`)
    const step = spawnSync('npm', ['run', '--silent', part.script], { cwd: root, stdio: 'inherit' })
    if (step.status !== 0) process.exit(step.status ?? 1)
  }
}
