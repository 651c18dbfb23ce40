import type { Signal } from '../signal.ts'
import { openHealingClient } from './healing-client.ts'

export type WakeUpConnection = {
  /** Tells the other processes that something is new. */
  announce(): void
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
    }
    announcing = false
  }

  return {
    announce: () => {
      owed = true
      void announce()
    },
    close: () => connection.close(),
  }
}
