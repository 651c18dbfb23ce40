import { setTimeout as delay } from 'node:timers/promises'
import type { Signal } from '../signal.ts'
import { openHealingClient } from './healing-client.ts'

/** Least time between two notifications, milliseconds. */
const BETWEEN_MS = 4

export type WakeUpConnection = {
  /** Notifies the other processes of new events. */
  announce(): void
  /** Identifies the current connection; null while disconnected. After a reconnect, cached positions may be wrong. */
  session(): object | null
  close(): Promise<void>
}

/**
 * Sends and receives notifications of new events on one connection of its own. A NOTIFY inside the appending transaction would
 * serialise all commits of the server; here at most one is in flight. Correctness does not depend on it: readers poll as well,
 * and a reconnect wakes them once ("a killed wake-up connection is replaced").
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
      // A lost notification costs one poll: no need to wait for the disk.
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
      // The first notification goes out at once; under load the following ones are merged.
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
