import type { Pool } from 'pg'
import { createBatchedReads } from '../batched-reads.ts'
import type { StoredEvent } from '../event-store.ts'

/**
 * `lateral` forces one index descent per stream, whatever the planner assumes about the arrays. Unordered: a sort would copy
 * every payload, and the rows mostly come in order anyway.
 */
const READ_STREAMS = `
  select r.n, e.position, e.version, e.event_id, e.type, e.schema_version, e.data, e.metadata
  from unnest($1::text[], $2::int[], $3::int[]) with ordinality r (stream, after, until, n)
  cross join lateral (
    select x.position, x.version, x.event_id, x.type, x.schema_version, x.data, x.metadata
    from es.events x where x.stream_id = r.stream and x.version > r.after and x.version <= r.until
  ) e`

/** Keeps every column as text: the driver's parsers are slow and would parse the JSON. */
const AS_TEXT = { getTypeParser: () => (text: string) => text }
type Row = readonly [string, string, string, string, string, string, string, string]

/** Versions after `after`, up to and including `until`. */
type Wanted = { readonly stream: string; readonly after: number; readonly until: number }

/** The largest version that a column holds. */
export const LAST_VERSION = 2_147_483_647

/** Reads events of single streams after a version; concurrent reads share a statement. */
export const createStreamReads = (pool: Pool) =>
  createBatchedReads<Wanted, readonly StoredEvent[]>({ lanes: 2, most: 64, load: (wanted) => readStreams(pool, wanted) })

async function readStreams(pool: Pool, wanted: readonly Wanted[]): Promise<readonly (readonly StoredEvent[])[]> {
  const values = [wanted.map(({ stream }) => stream), wanted.map(({ after }) => after), wanted.map(({ until }) => until)]
  const query = { name: 'es_read_streams', text: READ_STREAMS, values, rowMode: 'array', types: AS_TEXT } as const
  const { rows } = await pool.query<Row[]>(query)
  const found: StoredEvent[][] = wanted.map(() => [])
  for (const [n, position, version, id, type, schemaVersion, data, metadata] of rows as unknown as readonly Row[]) {
    const index = Number(n) - 1
    found[index]?.push({
      position: BigInt(position),
      stream: wanted[index]?.stream ?? '',
      version: Number(version),
      id,
      type,
      schemaVersion: Number(schemaVersion),
      data,
      metadata,
    })
  }
  for (const events of found) events.sort((a, b) => a.version - b.version)
  return found
}
