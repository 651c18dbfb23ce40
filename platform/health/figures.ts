import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Db } from '#migrations/db'

/** A queue that is counted no further, so that a scrape stays cheap however long the queue is. */
const MOST_COUNTED = 10_000

/** Work that waits, apart from durable jobs. */
export type QueueFigures = {
  readonly queue: string
  /** 10,000 at most. */
  readonly waiting: number
  /** Age of the oldest, seconds; 0 without one. */
  readonly oldest: number
}

type Queue = {
  readonly table: string
  readonly since: string
  /** The oldest comes first by it; `since` without it. */
  readonly order?: string
  readonly open: RawBuilder<boolean>
}

/** Each has an index for what is open, in its order. */
const QUEUES: Readonly<Record<string, Queue>> = {
  charges: { table: 'app.delivery_charges', since: 'charged_at', open: sql`settlement is null` },
  settlements: { table: 'app.settlements', since: 'made_at', open: sql`not recorded` },
  facts: { table: 'app.delivery_batches', since: 'received_at', open: sql`facts is not null` },
  'security events': {
    table: 'app.security_events',
    since: 'at',
    order: 'id',
    // Events for a receiver outside; without one none waits.
    open: sql`id > (select max(position) from app.security_forwarding)`,
  },
  conversions: { table: 'app.tracked_events', since: 'received_at', open: sql`conversion is not null and counted_in is null` },
}

/**
 * Charges that no settlement has, settlements that no ledger has, batches whose facts are not stored, security events that their receiver
 * does not have, and reported conversions that are not counted.
 */
export async function queueFigures(db: Kysely<Db>): Promise<readonly QueueFigures[]> {
  const parts = Object.entries(QUEUES).map(
    ([queue, { table, since, order = since, open }]) => sql`
      select ${queue}::text as queue,
        (select count(*) from (select from ${sql.table(table)} where ${open} limit ${MOST_COUNTED}) as found)::int as waiting,
        greatest(0, coalesce(extract(epoch from now() - (
          select ${sql.ref(since)} from ${sql.table(table)} where ${open} order by ${sql.ref(order)} limit 1)), 0))::float8 as oldest`,
  )
  const { rows } = await sql<QueueFigures>`${sql.join(parts, sql` union all `)}`.execute(db)
  return rows
}

/** Which of these leases a process holds. */
export type LeaseFigures = { readonly lease: string; readonly held: boolean }

export async function leaseFigures(db: Kysely<Db>, leases: readonly string[]): Promise<readonly LeaseFigures[]> {
  const { rows } = await sql<LeaseFigures>`
    select wanted.lease, coalesce(l.until > now(), false) as held
    from unnest(${leases}::text[]) as wanted(lease) left join es.leases l on l.name = wanted.lease`.execute(db)
  return rows
}

/** Connections of the server, of all its clients, and how many it grants. */
export type ServerFigures = { readonly used: number; readonly limit: number }

export async function serverFigures(db: Kysely<Db>): Promise<ServerFigures> {
  const { rows } = await sql<ServerFigures>`
    select (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as used,
      current_setting('max_connections')::int as limit`.execute(db)
  return rows[0] ?? { used: 0, limit: 0 }
}
