import { sql, type Kysely } from 'kysely'
import type { EventStore } from '../../eventstore/event-store.ts'
import { tablesOf, shardOf, type ReadModel } from './read-model.ts'
import { liveGeneration } from './generations.ts'

export type Parked = {
  readonly name: string
  readonly stream: string
  readonly position: bigint
  readonly attempts: number
  readonly message: string
  readonly since: string
}

/** Streams that live read models have set aside, longest waiting first. */
export async function listParked(db: Kysely<never>, name: string | null = null): Promise<readonly Parked[]> {
  const { rows } = await sql<Parked>`
    select d.name, d.stream_id as stream, d.position, d.attempts, d.error ->> 'message' as message, d.first_failed_at::text as since
    from es.dead_letters d
    where d.resolved_at is null and (${name}::text is null or d.name = ${name})
      and exists (select from es.subscriptions s where s.name = d.name and s.generation = d.generation and s.status = 'live')
    order by d.first_failed_at, d.position`.execute(db)
  return rows
}

/**
 * Applies what a parked stream has missed, from the event that failed up to the checkpoint, and lets it go on. The checkpoint's row is
 * locked meanwhile, so that no event falls between this and the worker that goes on. Throws what `apply` throws, and where what is
 * live is of another version, whose rows this build of the code cannot write; the stream stays parked then.
 */
export async function retryParked(db: Kysely<never>, store: EventStore, model: ReadModel, stream: string): Promise<void> {
  // While it waited for the lock another generation may have gone live, with the same stream set aside
  // ("a stream that is tried again while a rebuild goes live is tried again in that").
  while (!(await retryInLive(db, store, model, stream)));
}

/** False where what was live is so no more. */
async function retryInLive(db: Kysely<never>, store: EventStore, model: ReadModel, stream: string): Promise<boolean> {
  const live = await liveGeneration(db, model.name)
  if (live === null) return true
  if (live.version !== model.version)
    throw new Error(`version ${live.version} is live, this build of the code makes version ${model.version}`)
  const history = async () => store.readStream(stream)
  return db.transaction().execute(async (trx) => {
    const shard = shardOf(stream, live.positions.length)
    const { rows: places } = await sql<{ position: bigint }>`
      select position from es.subscriptions
      where name = ${live.name} and generation = ${live.generation} and shard = ${shard} and status = 'live' for update`.execute(
      trx,
    )
    const { rows: letters } = await sql<{ position: bigint }>`
      select position from es.dead_letters
      where name = ${live.name} and generation = ${live.generation} and stream_id = ${stream} and resolved_at is null`.execute(
      trx,
    )
    const [place] = places
    const [letter] = letters
    if (place === undefined) return false
    if (letter === undefined) return true
    // Read under the lock: everything up to the checkpoint is in it, and what comes after is the worker's.
    const missed = (await history()).filter(({ position }) => position >= letter.position && position <= place.position)
    if (missed.length > 0) await model.apply(trx, tablesOf(model, live.generation), missed, new Map())
    await sql`
      update es.dead_letters set resolved_at = now()
      where name = ${live.name} and generation = ${live.generation} and stream_id = ${stream} and resolved_at is null`.execute(
      trx,
    )
    await sql`
      update es.subscriptions set parked = parked - 1
      where name = ${live.name} and generation = ${live.generation} and shard = ${shard}`.execute(trx)
    return true
  })
}
