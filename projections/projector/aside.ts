import { sql, type Kysely } from 'kysely'
import type { Position, StoredEvent } from '../../eventstore/event-store.ts'
import { liveGeneration } from './generations.ts'
import { shardOf, type Generation } from './read-model.ts'

/** A stream that a generation has set aside. */
export type Aside = {
  /** Of the event that could not be applied: the rows have what came before it in its stream. */
  readonly position: Position
  /** Why. */
  readonly message: string
}

/** By stream. */
export type AsideStreams = ReadonlyMap<string, Aside>

type Letter = { readonly stream: string; readonly position: string; readonly message: string }

/** What is live, and what it lacks. */
export type Standing = { readonly live: Generation | null; readonly aside: AsideStreams }

export const isAside = (streams: AsideStreams, { stream, position }: Pick<StoredEvent, 'stream' | 'position'>): boolean => {
  const since = streams.get(stream)?.position
  return since !== undefined && position >= since
}

export async function asideOf(
  db: Kysely<never>,
  { name, generation }: Pick<Generation, 'name' | 'generation'>,
): Promise<AsideStreams> {
  const { rows } = await sql<Letter>`
    select stream_id as stream, position::text, error ->> 'message' as message from es.dead_letters
    where name = ${name} and generation = ${generation} and resolved_at is null`.execute(db)
  return new Map(rows.map(({ stream, position, message }) => [stream, { position: BigInt(position), message }]))
}

export async function standingOf(db: Kysely<never>, name: string): Promise<Standing> {
  const live = await liveGeneration(db, name)
  return { live, aside: live === null ? new Map() : await asideOf(db, live) }
}

/**
 * Sets aside in a generation that is still empty what the live one has set aside, from the same events on: only then can their rows be
 * alike ("a read model is compared though streams of it are set aside").
 */
export async function setAsideAs(db: Kysely<never>, live: Generation, building: Generation): Promise<AsideStreams> {
  return db.transaction().execute(async (trx) => {
    const streams = await asideOf(trx, live)
    if (streams.size === 0) return streams
    const { name, generation, positions } = building
    await sql`
      insert into es.dead_letters (name, generation, position, stream_id, attempts, error, first_failed_at)
      select name, ${generation}, position, stream_id, attempts, error, first_failed_at from es.dead_letters
      where name = ${name} and generation = ${live.generation} and resolved_at is null and stream_id = any(${[...streams.keys()]})`.execute(
      trx,
    )
    const shards = [...streams.keys()].map((stream) => shardOf(stream, positions.length))
    await sql`
      update es.subscriptions set parked = (select count(*) from unnest(${shards}::int[]) s where s = shard)
      where name = ${name} and generation = ${generation}`.execute(trx)
    return streams
  })
}
