// Runs a command-line tool of the server from its source name, built if needed: `node scripts/run.mjs api/cli/audit.ts …`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildIfNeeded, root } from './build-if-needed.mjs'

const [file, ...rest] = process.argv.slice(2)
buildIfNeeded(['server'])
const built = join(root, 'dist/server', file.replace(/\.ts$/, '.js'))
const run = spawnSync(process.execPath, ['--enable-source-maps', built, ...rest], { stdio: 'inherit' })
process.exit(run.status ?? 1)
