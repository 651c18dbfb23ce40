import { setTimeout as delay } from 'node:timers/promises'
import type { Signal } from '../signal.ts'
import { openHealingClient } from './healing-client.ts'

/** Least time between two announcements, milliseconds. */
const BETWEEN_MS = 4

export type WakeUpConnection = {
  /** Tells the other processes that something is new. */
  announce(): void
  /** The connection it is, or null while there is none: with another one everything may have become another. */
  session(): object | null
  close(): Promise<void>
}

/**
 * Carries "something new" between processes, both ways, on one connection of its own. A NOTIFY inside the appending transaction
 * would make all commits of the server wait for each other; here it goes out beside them, at most one on its way at a time.
 * Nothing depends on it: readers poll as well, and after a broken connection everybody is woken once
 * ("a killed wake-up connection heals").
 */
export function openWakeUpConnection(
  url: string,
  channel: string,
  wake: Signal,
  applicationName = 'placard-wake-up',
): WakeUpConnection {
  let owed = false
  let announcing = false
  let closing = false

  const connection = openHealingClient({
    url,
    applicationName,
    onConnect: async (client) => {
      await client.query(`listen ${channel}`)
      // A lost announcement costs one poll: no need to wait for the disk.
      await client.query('set synchronous_commit = off')
      wake.raise()
    },
    onNotification: wake.raise,
  })

  const announce = async (): Promise<void> => {
    if (announcing) return
    announcing = true
    for (let client = connection.current(); owed && client !== null; client = connection.current()) {
      owed = false
      await client.query(`select pg_notify('${channel}', '')`).catch(() => {})
      // The first of a run goes out at once; under load one in a while says as much as one each time.
      if (!closing) await delay(BETWEEN_MS)
    }
    announcing = false
  }

  return {
    announce: () => {
      owed = true
      void announce()
    },
    session: () => connection.current(),
    close: () => {
      closing = true
      return connection.close()
    },
  }
}
