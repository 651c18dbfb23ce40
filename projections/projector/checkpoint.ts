import { sql, type Kysely } from 'kysely'
import type { Page } from '../../eventstore/event-store.ts'
import { tablesOf, type Generation, type ReadModel } from './read-model.ts'

/** Another worker moved this checkpoint: its rows are there already, ours must not be. */
export class Overtaken extends Error {}

/**
 * Applies a page and moves the checkpoint in one transaction. The checkpoint is compared before it is set: a worker that was
 * asleep while another took over finds it moved, and its rows are rolled back.
 */
export async function applyPage(db: Kysely<never>, model: ReadModel, at: Generation, page: Page): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const moved = await sql`
      update es.subscriptions set position = ${page.upTo}, error = null, updated_at = now()
      where name = ${at.name} and generation = ${at.generation} and position = ${at.position} and status <> 'retired'`.execute(
      trx,
    )
    if (moved.numAffectedRows !== 1n) throw new Overtaken(`the checkpoint of ${at.name} is not ${at.position} any more`)
    if (page.events.length > 0) await model.apply(trx, tablesOf(model, at.generation), page.events)
  })
}

/** Notes why a read model stands still; readers keep what they have. */
export async function noteFailure(db: Kysely<never>, at: Generation, position: bigint, error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error)
  await sql`
    update es.subscriptions set error = ${JSON.stringify({ position: String(position), message })}::json, updated_at = now()
    where name = ${at.name} and generation = ${at.generation}`.execute(db)
}
