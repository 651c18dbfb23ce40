import type { Wired } from '../areas/services.ts'
import { ConfigFault } from '#commands/config-fault'
import type { Pool } from 'pg'
import type { EventStore } from '#eventstore/event-store'
import type { KurrentClocks } from '#eventstore/kurrentdb/clocks'
import { UnusableConnection } from '#eventstore/kurrentdb/connection-string'
import { passes } from '#eventstore/kurrentdb/faults'
import { openKurrentEventStore } from '#eventstore/kurrentdb/start'
import { unsafeSettings } from '#eventstore/postgres/durability'
import { claimLogKind, readLogKind, type LogKind } from '#eventstore/postgres/log-kind'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { type Config } from '../config.ts'
import { watchOutside, type Outside } from '#commands/outside'

/** The log, and for one outside the database a way to ask whether it is there. */
export type EventLog = EventStore & { readonly ping?: () => Promise<unknown> }

/**
 * The log that the configuration names: KurrentDB with EVENT_STORE_URL, else the product's own PostgreSQL. Throws ConfigFault
 * with one line when it cannot be used, or when PostgreSQL may lose acknowledged writes: personal keys are stored there wherever
 * the events are.
 */
export async function openEventLog(
  { eventStoreUrl, unsafeDatabase }: Pick<Config, 'eventStoreUrl' | 'unsafeDatabase'>,
  database: { readonly pool: Pool; readonly url: string },
  clocks?: KurrentClocks,
): Promise<EventLog> {
  const unsafe = unsafeDatabase ? [] : await unsafeSettings(database.pool)
  if (unsafe.length > 0)
    throw new ConfigFault(`DATABASE_URL: this server may lose acknowledged writes: turn on ${unsafe.join(', ')}`)
  if (eventStoreUrl === null) return createPostgresEventStore(database)
  try {
    return await openKurrentEventStore(eventStoreUrl, clocks)
  } catch (error) {
    throw error instanceof UnusableConnection ? new ConfigFault(`EVENT_STORE_URL: ${error.message}`) : error
  }
}

type WatchDeps = Pick<Wired, 'stops'> & { readonly logger: Pick<Wired['logger'], 'error' | 'warn'> }

/**
 * Watches a log outside the database. Its calls do not fail at once while it is away: they wait, so that a short failover is not
 * seen.
 */
export function watchLog({ ping }: EventLog, { logger, stops }: WatchDeps): Outside | null {
  if (ping === undefined) return null
  const outside = watchOutside({
    name: 'KurrentDB',
    ping,
    isAbsence: passes,
    isBusy: () => false,
    whileAway: 'Writes wait 30 s for it, reads of the log 9 s; then they answer 503 until it is back',
    logger,
  })
  stops.add(async () => outside.stop())
  return outside
}

const KINDS = { postgresql: 'PostgreSQL', kurrentdb: 'KurrentDB' } as const

type Named = Pick<Config, 'eventStoreUrl'>

/**
 * Binds a migrated database to the kind of log that its checkpoints count in; the first start that reached its log decides.
 * Throws ConfigFault with one line when the configuration names another: the first events of that log would be skipped silently,
 * and writes would never become visible.
 */
export async function claimLog(pool: Pool, named: Named): Promise<void> {
  refuseOther(await claimLogKind(pool, kindOf(named)), named)
}

/** The same check for tools, which bind nothing: a database on which no product was started may use either log. */
export async function compareLog(pool: Pool, named: Named): Promise<void> {
  refuseOther(await readLogKind(pool), named)
}

/**
 * Throws ConfigFault when a read model is beyond the end of the log: the log was restored from an older backup than the database, and
 * what is appended next would never be seen.
 */
export async function refuseOlderLog(pool: Pool, store: Pick<EventStore, 'head'>): Promise<void> {
  const { rows } = await pool.query<{ name: string; position: bigint }>(
    `select name, position from es.subscriptions where status = 'live' order by position desc limit 1`,
  )
  // Asked afterwards: both grow while other processes run.
  const head = await store.head()
  const [furthest] = rows
  if (furthest === undefined || furthest.position <= head) return
  throw new ConfigFault(
    `EVENT_STORE_URL: the log ends at ${head}, and the read model ${furthest.name} is at ${furthest.position}: the log is older than the database. ` +
      `Restore a log that is not older, or run "npm run projections -- rebuild" for each read model if its newest events are lost`,
  )
}

const kindOf = ({ eventStoreUrl }: Named): LogKind => (eventStoreUrl === null ? 'postgresql' : 'kurrentdb')

function refuseOther(kind: LogKind | null, named: Named): void {
  if (kind === null || kind === kindOf(named)) return
  const advice = kind === 'kurrentdb' ? 'set it to that KurrentDB' : 'unset it'
  throw new ConfigFault(`EVENT_STORE_URL: the events of this database are in ${KINDS[kind]}; ${advice}, or use a new database`)
}
