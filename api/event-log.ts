import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { EventStore } from '../eventstore/event-store.ts'
import { wantsCredentials } from '../eventstore/kurrentdb/kurrent-client.ts'
import { createKurrentEventStore } from '../eventstore/kurrentdb/kurrent-event-store.ts'
import { unsafeSettings } from '../eventstore/postgres/durability.ts'
import { claimLogKind, readLogKind, type LogKind } from '../eventstore/postgres/log-kind.ts'
import { createPostgresEventStore } from '../eventstore/postgres/postgres-event-store.ts'
import { ConfigFault, type Config } from './config.ts'

/** Start-up timeout. Calls wait longer for an absent server later on; a failed start is retried by the process supervisor. */
const START_TIMEOUT_MS = 5000

/**
 * The log that the configuration names: KurrentDB with EVENT_STORE_URL, else the product's own PostgreSQL. Throws ConfigFault
 * with one line when it does not answer, or when PostgreSQL may lose acknowledged writes: personal keys are stored there wherever
 * the events are.
 */
export async function openEventLog(
  { eventStoreUrl, unsafeDatabase }: Pick<Config, 'eventStoreUrl' | 'unsafeDatabase'>,
  database: { readonly pool: Pool; readonly url: string },
): Promise<EventStore> {
  const unsafe = unsafeDatabase ? [] : await unsafeSettings(database.pool)
  if (unsafe.length > 0)
    throw new ConfigFault(`DATABASE_URL: this server may lose acknowledged writes: turn on ${unsafe.join(', ')}`)
  if (eventStoreUrl === null) return createPostgresEventStore(database)
  let store: EventStore
  try {
    store = createKurrentEventStore(eventStoreUrl)
  } catch {
    if (wantsCredentials(eventStoreUrl))
      throw new ConfigFault('EVENT_STORE_URL: KurrentDB over TLS requires a user and a password')
    // The client's own message may repeat the connection string, and with it the password.
    throw new ConfigFault('EVENT_STORE_URL: is not a KurrentDB connection string')
  }
  const answers = await Promise.race([
    store.head().then(
      () => true,
      () => false,
    ),
    delay(START_TIMEOUT_MS, false, { ref: false }),
  ])
  if (answers) return store
  await store.close()
  throw new ConfigFault('EVENT_STORE_URL: KurrentDB does not respond')
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

const kindOf = ({ eventStoreUrl }: Named): LogKind => (eventStoreUrl === null ? 'postgresql' : 'kurrentdb')

function refuseOther(kind: LogKind | null, named: Named): void {
  if (kind === null || kind === kindOf(named)) return
  const advice = kind === 'kurrentdb' ? 'set it to that KurrentDB' : 'unset it'
  throw new ConfigFault(`EVENT_STORE_URL: the events of this database are in ${KINDS[kind]}; ${advice}, or use a new database`)
}
