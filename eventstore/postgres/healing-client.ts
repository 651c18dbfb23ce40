import { Client } from 'pg'

const PROBE_MS = 10_000
const RECONNECT_MS = [50, 100, 250, 500, 1000, 2500, 5000] as const

export type HealingClientOptions = {
  readonly url: string
  readonly applicationName: string
  /** Prepares each new connection: session state (LISTEN, locks, settings) is lost with the old one. */
  readonly onConnect: (client: Client) => Promise<void>
  /** A NOTIFY of another session. */
  readonly onNotification: (payload: string) => void
  /** Probe interval and query timeout, milliseconds; 10,000 by default. */
  readonly probeMs?: number
}

export type HealingClient = {
  /** The connection, or null while there is none. */
  current(): Client | null
  close(): Promise<void>
}

/**
 * One connection with session state, which reconnects with backoff. A listener cannot tell a silent host from an idle one, so the
 * connection is probed.
 */
export function openHealingClient(options: HealingClientOptions): HealingClient {
  const { url, applicationName, onConnect, onNotification, probeMs = PROBE_MS } = options
  let ready: Client | null = null
  let newest: Client | null = null
  let closed = false
  let failures = 0
  let retry: NodeJS.Timeout | undefined
  let probe: NodeJS.Timeout | undefined
  let connecting: Promise<void>

  const connect = async (): Promise<void> => {
    const client = new Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: probeMs,
      query_timeout: probeMs,
    })
    newest = client
    // An error is followed by an end, and end is what reconnects.
    client.on('error', () => {})
    client.on('end', () => reconnectAfter(client))
    let self = 0
    client.on('notification', ({ processId, payload }) => {
      if (processId !== self) onNotification(payload ?? '')
    })
    try {
      await client.connect()
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      self = rows[0]?.pid ?? 0
      await onConnect(client)
      ready = client
      failures = 0
      probeAfter(client)
    } catch {
      await client.end().catch(() => {})
      reconnectAfter(client)
    }
  }

  const probeAfter = (client: Client): void => {
    if (closed || newest !== client) return
    probe = setTimeout(() => {
      // With a statement in flight, `end` breaks the connection off; the `end` event above reconnects.
      void client.query('select').then(
        () => probeAfter(client),
        () => client.end(),
      )
    }, probeMs)
  }

  const reconnectAfter = (client: Client): void => {
    if (closed || newest !== client) return
    newest = null
    ready = null
    clearTimeout(probe)
    const pause = RECONNECT_MS[Math.min(failures, RECONNECT_MS.length - 1)]
    failures += 1
    retry = setTimeout(() => {
      connecting = connect()
    }, pause)
  }

  connecting = connect()
  return {
    current: () => ready,
    close: async () => {
      closed = true
      clearTimeout(retry)
      clearTimeout(probe)
      await connecting
      await newest?.end().catch(() => {})
    },
  }
}
