import { sql, type Kysely } from 'kysely'
import { readMetadata } from '#domain/kit/event-metadata'
import type { EventStore } from '#eventstore/event-store'
import { anyOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import type { ReadModel } from './read-model.ts'

/** How far a live read model is behind the log. */
export type Lag = {
  readonly name: string
  readonly generation: number
  readonly version: number
  readonly position: bigint
  readonly head: bigint
  /** Age of the oldest event it has not applied, by that event's own time; 0 when there is none. */
  readonly seconds: number
  /** Number of parked streams. */
  readonly parked: number
  /** Why it stopped; null while it runs. */
  readonly error: string | null
  /** Position of the generation that is being built beside it; null when there is none. */
  readonly built: bigint | null
}

/** `now` is business time, like the times of the events; the machine's time by default. */
export async function lagOf(
  db: Kysely<Db>,
  store: EventStore,
  models: readonly ReadModel[],
  now: string = new Date().toISOString(),
): Promise<readonly Lag[]> {
  const head = await store.head()
  const rows = await db
    .selectFrom('es.subscriptions as s')
    .select(['s.name', 's.generation', 's.version', 's.position', 's.parked'])
    .select((eb) => [
      sql<string | null>`${eb.ref('s.error')} ->> 'message'`.as('error'),
      sql<bigint | null>`(select max(b.position) from es.subscriptions b where b.name = s.name and b.status = 'building')`.as(
        'built',
      ),
    ])
    .where('s.status', '=', 'live')
    .where('s.name', '=', anyOf(models.map(({ name }) => name)))
    .orderBy('s.name')
    .execute()
  return Promise.all(rows.map(async (row) => ({ ...row, head, seconds: await ageAfter(store, row.position, head, now) })))
}

async function ageAfter(store: EventStore, position: bigint, head: bigint, now: string): Promise<number> {
  if (position >= head) return 0
  const { events } = await store.readAll(position, 1)
  const [oldest] = events
  if (oldest === undefined) return 0
  const at = Date.parse(readMetadata(oldest.metadata).at)
  return Number.isNaN(at) ? 0 : Math.max(0, (Date.parse(now) - at) / 1000)
}
