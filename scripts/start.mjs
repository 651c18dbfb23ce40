// `npm start`: builds what is needed, then serves until stopped.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfNeeded, root } from './build-if-needed.mjs'

buildIfNeeded()
// A save of a large campaign creates megabytes of garbage: a large young generation copies little of it and keeps pauses short.
const FLAGS = ['--enable-source-maps', '--max-semi-space-size=32']
const server = spawn(process.execPath, [...FLAGS, join(root, 'dist/server/api/main.js')], {
  cwd: root,
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)))
