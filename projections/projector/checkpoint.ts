import type { Kysely } from 'kysely'
import { isFromNewerBuild } from '#domain/kit/event-schema'
import type { Page, StoredEvent } from '#eventstore/event-store'
import { NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { isParked, parkedStreams } from './parked.ts'
import { tablesOf, type Checkpoint, type Memory, type ReadModel } from './read-model.ts'

/** Another worker moved this checkpoint: its rows are committed, and ours must not be. */
export class Overtaken extends Error {}

/**
 * Applies a page and moves the checkpoint in one transaction. The checkpoint is compared before it is set: a worker that was
 * suspended while another took over finds it moved, and its rows are rolled back.
 */
export async function applyPage(
  db: Kysely<Db>,
  model: ReadModel,
  at: Checkpoint,
  page: Page,
  memory: Memory = new Map(),
): Promise<void> {
  if (page.events.some(model.concerns)) await db.transaction().execute((trx) => applyInside(trx, model, at, page, memory))
  else await move(db, at, page.upTo)
}

/** `applyPage` inside a transaction that does more. */
export async function applyInside(
  trx: Kysely<Db>,
  model: ReadModel,
  at: Checkpoint,
  { events, upTo }: Page,
  memory: Memory = new Map(),
): Promise<void> {
  const parked = (await move(trx, at, upTo)) > 0 ? await parkedStreams(trx, at) : null
  const free = parked === null ? events : events.filter((event) => !isParked(parked, event))
  if (free.length > 0) await model.apply(trx, tablesOf(model, at.generation), free, memory)
}

/** Writes rows and moves the checkpoint of a generation without parked streams, in one transaction. */
export const writeUpTo = (
  db: Kysely<Db>,
  at: Checkpoint,
  upTo: bigint,
  write: (trx: Kysely<Db>) => Promise<void>,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await move(trx, at, upTo)
    await write(trx)
  })

/** Returns the number of parked streams. */
async function move(db: Kysely<Db>, at: Checkpoint, to: bigint): Promise<number> {
  const moved = await db
    .updateTable('es.subscriptions')
    .set({ position: to, error: null, updated_at: NOW })
    .where('name', '=', at.name)
    .where('generation', '=', at.generation)
    .where('position', '=', at.position)
    .where('status', '<>', 'retired')
    .returning('parked')
    .executeTakeFirst()
  if (moved === undefined) throw new Overtaken(`the checkpoint of ${at.name} is no longer at ${at.position}`)
  return moved.parked
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Shown to operators by `projections status`. */
const reasonOf = (error: unknown): string =>
  isFromNewerBuild(error) ? `waiting for a newer version: ${textOf(error)}` : textOf(error)

/** Stores why a read model stopped; its rows stay readable. */
export async function noteFailure(
  db: Kysely<Db>,
  { name, generation }: Checkpoint,
  position: bigint,
  error: unknown,
): Promise<void> {
  await db
    .updateTable('es.subscriptions')
    .set({ error: JSON.stringify({ position: String(position), message: reasonOf(error) }), updated_at: NOW })
    .where('name', '=', name)
    .where('generation', '=', generation)
    .execute()
}

/** Parks the event's stream: this event and the later ones of its stream wait for `retryParked`, all other streams go on. */
export async function park(
  db: Kysely<Db>,
  at: Checkpoint,
  { position, stream }: StoredEvent,
  attempts: number,
  error: unknown,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('es.subscriptions')
      .set((eb) => ({ parked: eb('parked', '+', 1), updated_at: NOW }))
      .where('name', '=', at.name)
      .where('generation', '=', at.generation)
      .where('position', '=', at.position)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw new Overtaken(`the checkpoint of ${at.name} is no longer at ${at.position}`)
    // A retry before the checkpoint passed the event leaves a resolved row behind
    // ("parks a stream again when it was retried before the checkpoint passed its event").
    const failure = { attempts, error: JSON.stringify({ message: textOf(error) }) }
    await trx
      .insertInto('es.dead_letters')
      .values({ name: at.name, generation: at.generation, position, stream_id: stream, ...failure })
      .onConflict((conflict) =>
        conflict.columns(['name', 'generation', 'position']).doUpdateSet({ resolved_at: null, ...failure }),
      )
      .execute()
  })
}
