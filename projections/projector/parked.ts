import { sql, type Kysely } from 'kysely'
import type { EventStore, Position, StoredEvent } from '#eventstore/event-store'
import { NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { liveGeneration } from './generations.ts'
import { tablesOf, type Generation, type ReadModel } from './read-model.ts'

/** Position of the event that could not be applied, by stream: the rows contain the stream up to before it. */
export type ParkedStreams = ReadonlyMap<string, Position>

export const isParked = (streams: ParkedStreams, { stream, position }: Pick<StoredEvent, 'stream' | 'position'>): boolean => {
  const since = streams.get(stream)
  return since !== undefined && position >= since
}

export async function parkedStreams(
  db: Kysely<Db>,
  { name, generation }: Pick<Generation, 'name' | 'generation'>,
): Promise<ParkedStreams> {
  const rows = await db
    .selectFrom('es.dead_letters')
    .select(['stream_id', 'position'])
    .where('name', '=', name)
    .where('generation', '=', generation)
    .where('resolved_at', 'is', null)
    .execute()
  return new Map(rows.map(({ stream_id: stream, position }) => [stream, position]))
}

export type Parked = {
  readonly name: string
  readonly stream: string
  readonly position: bigint
  readonly attempts: number
  readonly message: string
  readonly since: string
}

/** Parked streams of the live read models, oldest first. */
export async function listParked(db: Kysely<Db>, name: string | null = null): Promise<readonly Parked[]> {
  return db
    .selectFrom('es.dead_letters as d')
    .innerJoin('es.subscriptions as s', (join) =>
      join.onRef('s.name', '=', 'd.name').onRef('s.generation', '=', 'd.generation').on('s.status', '=', 'live'),
    )
    .select(['d.name', 'd.stream_id as stream', 'd.position', 'd.attempts'])
    .select((eb) => [
      sql<string>`${eb.ref('d.error')} ->> 'message'`.as('message'),
      sql<string>`${eb.ref('d.first_failed_at')}::text`.as('since'),
    ])
    .where('d.resolved_at', 'is', null)
    .$if(name !== null, (found) => found.where('d.name', '=', name))
    .orderBy('d.first_failed_at')
    .orderBy('d.position')
    .execute()
}

/** Applies the events that a parked stream of a read model missed; throws when the stream stays parked. */
export type RetryParked = (readModel: string, stream: string) => Promise<void>

/**
 * Applies what a parked stream has missed, from the event that failed up to the checkpoint, and unparks it. Locks the checkpoint,
 * so that no event falls between this and the worker. Throws what `apply` throws, and when the live generation has another
 * version, whose rows this build cannot write; the stream stays parked then.
 */
export async function retryParked(db: Kysely<Db>, store: EventStore, model: ReadModel, stream: string): Promise<void> {
  // A flip may have happened while this waited for the lock; the stream may be parked in the new generation as well
  // ("retries a parked stream in the generation that went live after the retry began").
  while (!(await retryInLive(db, store, model, stream)));
}

/** False when the generation was replaced concurrently. */
async function retryInLive(db: Kysely<Db>, store: EventStore, model: ReadModel, stream: string): Promise<boolean> {
  const live = await liveGeneration(db, model.name)
  if (live === null) return true
  if (live.version !== model.version)
    throw new Error(`version ${live.version} is live, but this build makes version ${model.version}`)
  return db.transaction().execute(async (trx) => {
    const checkpoint = await trx
      .selectFrom('es.subscriptions')
      .select('position')
      .where('name', '=', live.name)
      .where('generation', '=', live.generation)
      .where('status', '=', 'live')
      .forUpdate()
      .executeTakeFirst()
    const since = (await parkedStreams(trx, live)).get(stream)
    if (checkpoint === undefined) return false
    if (since === undefined) return true
    // Read under the lock: the worker applies everything after the checkpoint.
    const history = await store.readStream(stream)
    const missed = history.filter(({ position }) => position >= since && position <= checkpoint.position)
    if (missed.length > 0) await model.apply(trx, tablesOf(model, live.generation), missed, new Map())
    await trx
      .updateTable('es.dead_letters')
      .set({ resolved_at: NOW })
      .where('name', '=', live.name)
      .where('generation', '=', live.generation)
      .where('stream_id', '=', stream)
      .where('resolved_at', 'is', null)
      .execute()
    await trx
      .updateTable('es.subscriptions')
      .set((eb) => ({ parked: eb('parked', '-', 1) }))
      .where('name', '=', live.name)
      .where('generation', '=', live.generation)
      .execute()
    return true
  })
}
