import { DatabaseError, type Pool, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg'
import type { Append, AppendResult } from '../event-store.ts'
import { isConnectionLoss } from './connection-loss.ts'

// The version check is the scalar subquery of es.append, for the same reason.
const APPEND_ONE = `
  insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
  select $1::text, $2::int + 1, $3::uuid, $4::text, $5::smallint, $6::json, $7::json
  where $2 = 0 or (select x.version from es.events x where x.stream_id = $1 and x.version = $2) is not null
  on conflict (stream_id, version) do nothing
  returning position::text as position`

/** Appends of one event each, which most are, cannot be torn and need no function. For the others see es.append. */
export const APPEND_EACH = `
  insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
  select e.stream, e.expected + 1, e.id, e.type, e.schema_version, e.data, e.meta
  from rows from (
    unnest($1::text[]), unnest($2::int[]), unnest($3::uuid[]), unnest($4::text[]), unnest($5::smallint[]),
    json_array_elements($6::json), json_array_elements($7::json)
  ) with ordinality e(stream, expected, id, type, schema_version, data, meta, o)
  where e.expected = 0
     or (select x.version from es.events x where x.stream_id = e.stream and x.version = e.expected) is not null
  order by e.o
  on conflict (stream_id, version) do nothing
  returning stream_id, position::text as position`

const APPEND_MANY = `
  select o_idx, o_version, o_position::text as o_position
  from es.append($1::text[], $2::int[], $3::int[], $4::int[], $5::int[], $6::uuid[], $7::text[], $8::smallint[], $9::json, $10::json)`

const STORED_IDS = `
  select event_id::text as event_id, version, position::text as position
  from es.events where stream_id = $1 and version > $2 and version <= $3 order by version`

/** Raised by es.append, which rolls back, when only a part of a multi-event append could be stored. */
const TORN = 'ES001'
export const isTorn = (error: unknown): boolean => error instanceof DatabaseError && error.code === TORN

type Appended = Extract<AppendResult, { kind: 'appended' }>

/** One statement, one commit. Returns one result per append, null where the stream had another version. */
export async function appendAll(pool: Pool, batch: readonly Append[]): Promise<readonly (Appended | null)[]> {
  const [lone, ...others] = batch
  if (lone === undefined) return []
  if (batch.some(({ events }) => events.length > 1)) return appendMany(pool, batch)
  return others.length === 0 ? [await appendOne(pool, lone)] : appendEach(pool, batch)
}

async function appendOne(pool: Pool, { stream, expected, events: [event] }: Append): Promise<Appended | null> {
  if (event === undefined) return null
  const values = [stream, expected, event.id, event.type, event.schemaVersion, event.data, event.metadata]
  const { rows } = await ask<{ position: string }>(pool, { name: 'es_append_one', text: APPEND_ONE, values })
  const position = rows[0]?.position
  return position === undefined ? null : appended(expected + 1, position, false)
}

async function appendEach(pool: Pool, batch: readonly Append[]): Promise<readonly (Appended | null)[]> {
  const events = batch.flatMap((append) => append.events)
  const values = [
    batch.map((append) => append.stream),
    batch.map((append) => append.expected),
    events.map((event) => event.id),
    events.map((event) => event.type),
    events.map((event) => event.schemaVersion),
    listOf(events.map((event) => event.data)),
    listOf(events.map((event) => event.metadata)),
  ]
  type Row = { stream_id: string; position: string }
  const { rows } = await ask<Row>(pool, { name: 'es_append_each', text: APPEND_EACH, values })
  // A batch has at most one append per stream.
  const positions = new Map(rows.map((row) => [row.stream_id, row.position]))
  return batch.map(({ stream, expected }) => {
    const position = positions.get(stream)
    return position === undefined ? null : appended(expected + 1, position, false)
  })
}

async function appendMany(pool: Pool, batch: readonly Append[]): Promise<readonly (Appended | null)[]> {
  const events = batch.flatMap((append, index) => append.events.map((event, k) => ({ event, append: index + 1, k: k + 1 })))
  const values = [
    batch.map((append) => append.stream),
    batch.map((append) => append.expected),
    batch.map((append) => append.events.length),
    events.map((entry) => entry.append),
    events.map((entry) => entry.k),
    events.map((entry) => entry.event.id),
    events.map((entry) => entry.event.type),
    events.map((entry) => entry.event.schemaVersion),
    listOf(events.map((entry) => entry.event.data)),
    listOf(events.map((entry) => entry.event.metadata)),
  ]
  type Row = { o_idx: number; o_version: number; o_position: string }
  const { rows } = await ask<Row>(pool, { name: 'es_append_many', text: APPEND_MANY, values })
  const stored = new Map(rows.map((row) => [row.o_idx, appended(row.o_version, row.o_position, false)]))
  return batch.map((_, index) => stored.get(index + 1) ?? null)
}

/** For an append that was not stored: returns its earlier result when these events are stored already, else a conflict. */
export async function readBack(pool: Pool, { stream, expected, events }: Append): Promise<AppendResult> {
  type Row = { event_id: string; version: number; position: string }
  const values = [stream, expected, expected + events.length]
  const { rows } = await pool.query<Row>({ name: 'es_stored_ids', text: STORED_IDS, values })
  const last = rows.at(-1)
  const same = rows.length === events.length && events.every((event, index) => rows[index]?.event_id === event.id)
  return same && last !== undefined ? appended(last.version, last.position, true) : { kind: 'conflict' }
}

/**
 * Keeps the connection after a refused statement, where the pool's own `query` would close it
 * ("torn appends keep their connections").
 */
async function ask<Row extends QueryResultRow>(pool: Pool, query: QueryConfig): Promise<QueryResult<Row>> {
  const client = await pool.connect()
  try {
    const result = await client.query<Row>(query)
    client.release()
    return result
  } catch (error) {
    client.release(!(error instanceof DatabaseError) || isConnectionLoss(error))
    throw error
  }
}

/** A whole JSON array: its elements keep their bytes, and nothing needs the quoting of an array literal. */
const listOf = (texts: readonly string[]): string => `[${texts.join(',')}]`

const appended = (version: number, position: string, replayed: boolean): Appended => ({
  kind: 'appended',
  version,
  position: BigInt(position),
  replayed,
})
