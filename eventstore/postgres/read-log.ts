import type { Pool } from 'pg'
import type { Position } from '../event-store.ts'
import type { ReadPage } from '../subscription.ts'
import { EVENT_COLUMNS, type EventRow, toStoredEvent } from './event-rows.ts'
import type { HoleEvidence } from './hole-evidence.ts'

/** Evidence about holes is gathered per window: with small windows a reader fell seconds behind a busy log. */
const MIN_WINDOW = 500

/**
 * One statement, because the proof needs one snapshot. The subselect runs only when there is a hole, and then once. pg_locks
 * shows the locks of that moment, after the snapshot ("waits for the event of an open transaction"). Filtered by database,
 * since table numbers repeat across databases.
 */
const READ_LOG = `
  select ${EVENT_COLUMNS},
    case when e.position <> lag(e.position, 1, $1::bigint) over (order by e.position) + 1 then (
      select (select max(position) from es.events) || ':' || coalesce(string_agg(distinct l.virtualtransaction, ','), '')
      from pg_locks l
      where l.locktype = 'relation' and l.relation = 'es.events'::regclass and l.mode = 'RowExclusiveLock' and l.granted
        and l.database = (select oid from pg_database where datname = current_database())
    ) end as evidence
  from es.events e where e.position > $1 order by e.position limit $2`

type LogRow = EventRow & { readonly evidence: string | null }

/** The certain part of what follows `after`: up to the first hole that may still be filled. */
export async function readLog(pool: Pool, holes: HoleEvidence, after: Position, limit: number): Promise<ReadPage> {
  const sent = holes.sent()
  const values = [after.toString(), Math.max(limit, MIN_WINDOW)]
  const { rows } = await pool.query<LogRow>({ name: 'es_read_log', text: READ_LOG, values })
  const evidence = rows.find((row) => row.evidence !== null)?.evidence
  if (evidence !== undefined && evidence !== null) {
    const [head = '', writers = ''] = evidence.split(':')
    holes.observe(sent, BigInt(head), new Set(writers.split(',').filter((writer) => writer !== '')))
  }
  const certain = rows.findIndex((row) => row.evidence !== null && !holes.isDead(sent, BigInt(row.position) - 1n))
  const events = (certain === -1 ? rows : rows.slice(0, certain)).slice(0, limit).map(toStoredEvent)
  return { events, upTo: events.at(-1)?.position ?? after, waiting: certain !== -1 }
}
