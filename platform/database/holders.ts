import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { isRunning, processIdentity } from './process-identity.ts'

/**
 * The processes that use the running server, one file each. The last one to leave stops the server; files of killed processes are
 * removed. Call both functions under the start lock only.
 */
export function join(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const ticket = path.join(folder, randomUUID())
  writeFileSync(ticket, processIdentity(process.pid) ?? '', { mode: 0o600 })
  return ticket
}

/** True when no other process is left. */
export function leave(folder: string, ticket: string): boolean {
  rmSync(ticket, { force: true })
  let left = 0
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    if (isRunning(readFileSync(file, 'utf8'))) left += 1
    else rmSync(file, { force: true })
  }
  return left === 0
}
