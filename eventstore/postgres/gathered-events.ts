import type { StoredEvent } from '../event-store.ts'

/** Cannot stand in JSON, neither in a string nor between values. */
const BETWEEN = '\x1e'

/**
 * Select list over rows of es.events, in their order: each column of all of them as one text. Making eight values of every row
 * costs the driver more than cutting these up. Payloads stay the bytes that were stored. All null where there are no rows.
 */
export const GATHERED_EVENTS = `
  string_agg(position::text, ',') as positions, json_agg(stream_id)::text as streams, string_agg(version::text, ',') as versions,
  string_agg(event_id::text, ',') as ids, json_agg(type)::text as types, string_agg(schema_version::text, ',') as schema_versions,
  string_agg(data::text, E'\\x1e') as data, string_agg(metadata::text, E'\\x1e') as metadata`

type Column = 'positions' | 'streams' | 'versions' | 'ids' | 'types' | 'schema_versions' | 'data' | 'metadata'
export type GatheredEvents = Readonly<Record<Column, string>> | Readonly<Record<Column, null>>

/** Names of streams are parsed and not cut: whoever remembers one would keep the text it was cut from as well. */
export function toStoredEvents(gathered: GatheredEvents): readonly StoredEvent[] {
  if (gathered.positions === null) return []
  const streams: readonly string[] = JSON.parse(gathered.streams)
  const versions = gathered.versions.split(',')
  const ids = gathered.ids.split(',')
  const types: readonly string[] = JSON.parse(gathered.types)
  const schemaVersions = gathered.schema_versions.split(',')
  const data = gathered.data.split(BETWEEN)
  const metadata = gathered.metadata.split(BETWEEN)
  return gathered.positions.split(',').map((position, i) => ({
    position: BigInt(position),
    stream: streams[i] ?? '',
    version: Number(versions[i]),
    id: ids[i] ?? '',
    type: types[i] ?? '',
    schemaVersion: Number(schemaVersions[i]),
    data: data[i] ?? '',
    metadata: metadata[i] ?? '',
  }))
}
