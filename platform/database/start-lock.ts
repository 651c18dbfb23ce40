import { linkSync, mkdirSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isRunning, processIdentity } from './process-identity.ts'

const POLL_MS = 20

/**
 * Runs `work` while no other process (nor another call in this one) does so for the same folder.
 * The lock of a killed process is free at once. Rejects when a living holder keeps it longer than `timeoutMs`.
 *
 * The lock is the highest numbered ticket in the folder. Breaking a dead holder's lock by deleting its file would let
 * two waiters break it one after the other, the second deleting the first one's; taking the next number cannot:
 * creating a ticket is atomic, and the highest one is never deleted, so only one process can have created it.
 */
export async function withStartLock<T>(folder: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const ticket = await acquire(folder, Date.now() + timeoutMs)
  try {
    return await work()
  } finally {
    truncateSync(path.join(folder, `${ticket}`), 0)
  }
}

async function acquire(folder: string, deadline: number): Promise<number> {
  for (;;) {
    const newest = newestTicket(folder)
    const holder = newest === 0 ? '' : readTicket(folder, newest)
    if (!isRunning(holder)) {
      const mine = newest + 1
      if (createTicket(folder, mine)) {
        // A process that listed the folder long ago may create a ticket below the highest again: it does not hold the lock.
        if (newestTicket(folder) === mine) {
          removeTicketsBelow(folder, mine)
          return mine
        }
        rmSync(path.join(folder, `${mine}`), { force: true })
      }
    } else if (Date.now() > deadline) {
      throw new Error(`process ${holder.split(' ')[0]} has been starting or stopping PostgreSQL in ${folder} for too long`)
    }
    await delay(POLL_MS)
  }
}

const tickets = (folder: string): number[] =>
  readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

const newestTicket = (folder: string): number => Math.max(0, ...tickets(folder))

/** Empty when released, or when a newer holder has just removed it; the next poll sees the newer one. */
function readTicket(folder: string, ticket: number): string {
  try {
    return readFileSync(path.join(folder, `${ticket}`), 'utf8')
  } catch {
    return ''
  }
}

/** Written under another name first: a ticket must name its holder from the beginning. */
function createTicket(folder: string, ticket: number): boolean {
  const draft = path.join(folder, `draft-${randomUUID()}`)
  writeFileSync(draft, processIdentity(process.pid) ?? '', { mode: 0o600 })
  try {
    linkSync(draft, path.join(folder, `${ticket}`))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function removeTicketsBelow(folder: string, mine: number): void {
  for (const ticket of tickets(folder)) if (ticket < mine) rmSync(path.join(folder, `${ticket}`), { force: true })
}
