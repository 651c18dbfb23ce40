import type { Socket } from 'node:net'
import { Client, DatabaseError, type ClientConfig, type Pool, type PoolClient, type PoolConfig } from 'pg'

/** Longest time that making a connection may take, or asking the server about another one. Milliseconds. */
const ANSWER_MS = 10_000

/**
 * A host that loses its power, or the way to it, says nothing: whoever waits for an answer would wait for ever. The system ends idle
 * connections that it gets no sign of life from; one over which a statement has just gone out it keeps for a quarter of an hour,
 * and for those see `endSilent`.
 */
export const NOT_FOR_EVER: PoolConfig = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // The pool's own connectionTimeoutMillis would also end the waiting for a connection that is busy. Its type forgets the arguments.
  Client: function (config: ClientConfig) {
    return new Client({ ...config, connectionTimeoutMillis: ANSWER_MS })
  } as unknown as NonNullable<PoolConfig['Client']>,
}

/**
 * Ends connections in use over which nothing has come or gone for so long, unless the server, asked on another connection, says that it is
 * at work for them: a statement may be allowed to take longer than others
 * ("work that was allowed to take longer than a statement may is not taken for silence").
 */
export function endSilent(pool: Pool, url: string, silentMs: number): void {
  const used = new Set<PoolClient>()
  pool.on('acquire', (client) => used.add(client))
  pool.on('release', (_, client) => used.delete(client))
  pool.on('remove', (client) => used.delete(client))
  pool.on('connect', (client) => {
    const asked = client as unknown as Client & { readonly processID: number; readonly readyForQuery: boolean }
    const socket = asked.connection.stream as Socket
    // Each time: a listener given to setTimeout hears of the first one only
    // ("a connection that was idle in the pool for long is given up when it falls silent later").
    socket.on('timeout', () => {
      // A transaction that asks nothing is owed no answer.
      if (used.has(client) && !asked.readyForQuery) void look(socket, asked.processID)
    })
    socket.setTimeout(silentMs)
  })

  async function look(socket: Socket, pid: number): Promise<void> {
    const before = socket.bytesRead
    const working = await isWorking(url, pid)
    // What came meanwhile was only read late: this process was busy.
    if (socket.destroyed || socket.bytesRead !== before) return
    if (working) socket.setTimeout(silentMs)
    else socket.destroy(new Error('the database fell silent'))
  }
}

/** Whether the server is at work for a session; true where it answers, but cannot say. */
async function isWorking(url: string, pid: number): Promise<boolean> {
  const client = new Client({
    connectionString: url,
    application_name: 'placard-silence',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    // A server that does not track activities says "disabled".
    const { rows } = await client.query(
      "select 1 from pg_stat_activity where pid = $1 and coalesce(state, '') not like 'idle%'",
      [pid],
    )
    return rows.length > 0
  } catch (error) {
    return error instanceof DatabaseError
  } finally {
    void client.end().catch(() => {})
  }
}
