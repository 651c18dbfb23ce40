import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Page, Position, StoredEvent } from '../event-store.ts'
import type { HoleEvidence } from './hole-evidence.ts'

/** Positions per statement. Larger ones stall on the socket: the server waits until the client has read what it sent. */
const RANGE = 500n
/** Statements under way at once: the server prepares the next ones while the first is worked on. */
const AHEAD = 4
const SETTLE_WITHIN_MS = 1000
const SETTLE_POLL_MS = 2

const EVIDENCE = `
  select (select coalesce(max(position), 0) from es.events)::text as head, coalesce(string_agg(distinct l.virtualtransaction, ','), '') as writers
  from pg_locks l
  where l.locktype = 'relation' and l.relation = 'es.events'::regclass and l.mode = 'RowExclusiveLock' and l.granted
    and l.database = (select oid from pg_database where datname = current_database())`

// e.position: the bare name would be the output column, and text sorts 10 before 9.
const READ_RANGE = `
  select position::text, stream_id, version, event_id::text, type, schema_version, data::text, metadata::text
  from es.events e where e.position > $1 and e.position <= $2 order by e.position`

type Row = readonly [string, string, number, string, string, number, string, string]

/**
 * What was in the log when the scan began, in order, read ahead of whoever works on it. Up to a position below which no writer
 * is left, holes are dead by the argument of hole-evidence.ts, so ranges can be read independently. Ends early where a
 * writer stays: readAll goes on from there.
 */
export async function* scanLog(pool: Pool, holes: HoleEvidence, after: Position): AsyncGenerator<Page> {
  const fence = await settledHead(pool, holes)
  const queue: { readonly upTo: Position; readonly rows: Promise<readonly Row[]> }[] = []
  try {
    for (let from = after; ;) {
      while (queue.length < AHEAD && from < fence) {
        const upTo = from + RANGE < fence ? from + RANGE : fence
        const rows = readRange(pool, from, upTo)
        // Its fault reaches whoever scans when its turn comes; until then nobody listens
        // ("a scan whose connections break fails for whoever reads it, and for nobody else").
        rows.catch(() => undefined)
        queue.push({ upTo, rows })
        from = upTo
      }
      const next = queue.shift()
      if (next === undefined) return
      yield { events: (await next.rows).map(toStoredEvent), upTo: next.upTo }
    }
  } finally {
    await Promise.allSettled(queue.map(({ rows }) => rows))
  }
}

async function readRange(pool: Pool, from: Position, upTo: Position): Promise<readonly Row[]> {
  const values = [from.toString(), upTo.toString()]
  const { rows } = await pool.query<Row[]>({ name: 'es_read_range', text: READ_RANGE, values, rowMode: 'array' })
  return rows as unknown as readonly Row[]
}

const toStoredEvent = ([position, stream, version, id, type, schemaVersion, data, metadata]: Row): StoredEvent => ({
  position: BigInt(position),
  stream,
  version,
  id,
  type,
  schemaVersion,
  data,
  metadata,
})

/** The newest position once every writer that could still fill a hole below it has ended; 0 when one stays too long. */
async function settledHead(pool: Pool, holes: HoleEvidence): Promise<Position> {
  const deadline = Date.now() + SETTLE_WITHIN_MS
  let goal: Position | null = null
  for (;;) {
    const sent = holes.sent()
    if (goal !== null && holes.isDead(sent, goal)) return goal
    const { rows } = await pool.query<{ head: string; writers: string }>({ name: 'es_evidence', text: EVIDENCE })
    const { head = '0', writers = '' } = rows[0] ?? {}
    goal ??= BigInt(head)
    holes.observe(sent, BigInt(head), new Set(writers.split(',').filter((writer) => writer !== '')))
    if (Date.now() > deadline) return 0n
    if (writers !== '') await delay(SETTLE_POLL_MS)
  }
}
