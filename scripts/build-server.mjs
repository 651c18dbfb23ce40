// Compiles the server into dist/server. A package.json there leads `#room/…` to the compiled files.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const output = join(root, 'dist/server')
rmSync(output, { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)

const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const compiled = Object.entries(imports).map(([name, path]) => [name, path.replace(/\.ts$/, '.js')])
mkdirSync(output, { recursive: true })
writeFileSync(
  join(output, 'package.json'),
  `${JSON.stringify({ type: 'module', imports: Object.fromEntries(compiled) }, null, 2)}\n`,
)
