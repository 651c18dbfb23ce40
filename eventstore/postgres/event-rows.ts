import type { Pool } from 'pg'
import type { StoredEvent } from '../event-store.ts'

/** Everything is cast to text that the driver would otherwise read into an object, or the caller's pool in its own way. */
export const EVENT_COLUMNS =
  'position::text as position, stream_id, version, event_id::text as event_id, type, schema_version, data::text as data, metadata::text as metadata'

export type EventRow = {
  readonly position: string
  readonly stream_id: string
  readonly version: number
  readonly event_id: string
  readonly type: string
  readonly schema_version: number
  readonly data: string
  readonly metadata: string
}

export const toStoredEvent = (row: EventRow): StoredEvent => ({
  position: BigInt(row.position),
  stream: row.stream_id,
  version: row.version,
  id: row.event_id,
  type: row.type,
  schemaVersion: row.schema_version,
  data: row.data,
  metadata: row.metadata,
})

export async function readHead(pool: Pool): Promise<bigint> {
  const text = 'select coalesce(max(position), 0)::text as head from es.events'
  const { rows } = await pool.query<{ head: string }>({ name: 'es_head', text })
  return BigInt(rows[0]?.head ?? 0)
}
