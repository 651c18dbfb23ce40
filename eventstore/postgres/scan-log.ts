import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Page, Position } from '../event-store.ts'
import { GATHERED_EVENTS, type GatheredEvents, toStoredEvents } from './gathered-events.ts'
import type { HoleEvidence } from './hole-evidence.ts'

/** Positions that the first statements ask for; how many later ones do follows from what the events before were like. */
const FIRST_RANGE = 500
const LARGEST_RANGE = 2000
/** Characters of payload per statement. With less, being woken for every answer takes longer than reading it. */
const CHARACTERS = 1_500_000
/** Statements under way at once: the server prepares the next ones while the first is worked on. */
const AHEAD = 4
/**
 * Positions per row of an answer, and per page: as one text, events of a megabyte each would soon be more than a text can hold, and
 * events that are made before their turn are there longer than need be.
 */
const PIECE = 100
const SETTLE_WITHIN_MS = 1000
const SETTLE_POLL_MS = 2

const EVIDENCE = `
  select (select coalesce(max(position), 0) from es.events)::text as head, coalesce(string_agg(distinct l.virtualtransaction, ','), '') as writers
  from pg_locks l
  where l.locktype = 'relation' and l.relation = 'es.events'::regclass and l.mode = 'RowExclusiveLock' and l.granted
    and l.database = (select oid from pg_database where datname = current_database())`

const READ_RANGE = `
  select e.*
  from generate_series($1::bigint, $2::bigint - 1, ${PIECE}) piece
  cross join lateral (
    select ${GATHERED_EVENTS}
    from (
      select * from es.events x
      where x.position > piece and x.position <= least(piece + ${PIECE}, $2::bigint) order by x.position
    ) one
  ) e
  order by piece`

/**
 * What was in the log when the scan began, in order, read ahead of whoever works on it. Up to a position below which no writer
 * is left, holes are dead by the argument of hole-evidence.ts, so ranges can be read independently. Ends early where a
 * writer stays: readAll goes on from there.
 */
export async function* scanLog(pool: Pool, holes: HoleEvidence, after: Position): AsyncGenerator<Page> {
  const fence = await settledHead(pool, holes)
  const queue: { readonly upTo: Position; readonly pieces: Promise<readonly GatheredEvents[]> }[] = []
  let range = FIRST_RANGE
  try {
    for (let from = after, at = after; ;) {
      while (queue.length < AHEAD && from < fence) {
        const end = from + BigInt(range)
        const upTo = end < fence ? end : fence
        const pieces = readRange(pool, from, upTo)
        // Its fault reaches whoever scans when its turn comes; until then nobody listens
        // ("a scan whose connections break fails for whoever reads it, and for nobody else").
        pieces.catch(() => undefined)
        queue.push({ upTo, pieces })
        from = upTo
      }
      const next = queue.shift()
      if (next === undefined) return
      const pieces = await next.pieces
      range = rangeAfter(pieces, Number(next.upTo - at))
      for (const piece of pieces) {
        const end = at + BigInt(PIECE)
        at = end < next.upTo ? end : next.upTo
        yield { events: toStoredEvents(piece), upTo: at }
      }
    }
  } finally {
    await Promise.allSettled(queue.map(({ pieces }) => pieces))
  }
}

async function readRange(pool: Pool, from: Position, upTo: Position): Promise<readonly GatheredEvents[]> {
  const values = [from.toString(), upTo.toString()]
  const { rows } = await pool.query<GatheredEvents>({ name: 'es_read_range', text: READ_RANGE, values })
  return rows
}

/** How many positions to ask for, so that an answer is about as large as it should be. */
function rangeAfter(pieces: readonly GatheredEvents[], positions: number): number {
  const characters = pieces.reduce((sum, { data, metadata }) => sum + (data?.length ?? 0) + (metadata?.length ?? 0), 0)
  const wanted = Math.floor((CHARACTERS / Math.max(characters, 1)) * positions)
  return Math.min(Math.max(wanted, PIECE), LARGEST_RANGE)
}

/** The newest position once every writer that could still fill a hole below it has ended; 0 when one stays too long. */
async function settledHead(pool: Pool, holes: HoleEvidence): Promise<Position> {
  const deadline = Date.now() + SETTLE_WITHIN_MS
  for (let goal: Position | null = null; ;) {
    if (goal !== null) await delay(SETTLE_POLL_MS)
    const sent = holes.sent()
    const { rows } = await pool.query<{ head: string; writers: string }>({ name: 'es_evidence', text: EVIDENCE })
    const { head = '0', writers = '' } = rows[0] ?? {}
    goal ??= BigInt(head)
    holes.observe(sent, BigInt(head), new Set(writers.split(',').filter((writer) => writer !== '')))
    // Nothing lies below the first position: of an empty log there is nothing to prove.
    if (goal === 0n || holes.isDead(holes.sent(), goal)) return goal
    if (Date.now() > deadline) return 0n
  }
}
