// `npm start`: builds what is needed, then serves until stopped.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfNeeded, root } from './build-if-needed.mjs'

buildIfNeeded()
// A save of a large campaign creates megabytes of garbage: a large young generation copies little of it and keeps pauses short.
const FLAGS = ['--enable-source-maps', '--max-semi-space-size=32']
// The channel closes when this process ends, however it does: then the server stops too.
const server = spawn(process.execPath, [...FLAGS, join(root, 'dist/server/api/main.js')], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)))

// npm does not pass every signal on, and none when it is killed: without it, this process has another parent or grandparent.
if (process.env.npm_lifecycle_event !== undefined) {
  const before = parents()
  const timer = setInterval(() => {
    if (parents().some((pid, i) => pid !== before[i])) server.kill('SIGTERM')
  }, 500)
  timer.unref()
}

/** The parent of a process and its grandparent, where the system tells. */
function parents() {
  const parent = process.ppid
  try {
    // The name before the last bracket may hold anything; state and parent follow it.
    const [, grandparent] = readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ').at(-1).split(' ')
    return [parent, Number(grandparent)]
  } catch {
    return [parent]
  }
}
