import { sql, type Kysely, type Transaction } from 'kysely'
import type { EventStore } from '../../eventstore/event-store.ts'
import { applyPage } from './checkpoint.ts'
import { tablesOf, type Generation, type ReadModel } from './read-model.ts'

const PAGE = 1000
const HOLE_PAUSE_MS = 20

/** Serialises whoever wants to make, flip or retire generations of one read model. */
const locked = (trx: Transaction<never>, name: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`read-model ${name}`}, 0))`.execute(trx)

export async function liveGeneration(db: Kysely<never>, name: string): Promise<Generation | null> {
  const { rows } = await sql<Generation>`
    select name, generation, version, position, status from es.subscriptions where name = ${name} and status = 'live'`.execute(db)
  return rows[0] ?? null
}

/** The live generation, made empty where there is none. Two processes may ask at once: one makes it, both get it. */
export async function ensureLive(db: Kysely<never>, model: ReadModel): Promise<Generation> {
  const live = await liveGeneration(db, model.name)
  if (live !== null) return live
  return db.transaction().execute(async (trx) => {
    await locked(trx, model.name)
    const made = await liveGeneration(trx, model.name)
    if (made !== null) return made
    await model.create(trx, tablesOf(model, 1))
    await showViews(trx, model, 1)
    await insertGeneration(trx, model, 1, 'live')
    return { name: model.name, generation: 1, version: model.version, position: 0n, status: 'live' }
  })
}

/**
 * Builds a generation beside the live one, up to the end of the log, and flips to it in one transaction. Readers see the old
 * rows until the flip and all of the new ones after it, never an empty table. Answers the generation that is live then.
 */
export async function rebuildBeside(db: Kysely<never>, store: EventStore, model: ReadModel): Promise<Generation> {
  const building = await db.transaction().execute(async (trx) => {
    await locked(trx, model.name)
    const { rows } = await sql<{ newest: number }>`
      select coalesce(max(generation), 0)::int as newest from es.subscriptions where name = ${model.name}`.execute(trx)
    const generation = (rows[0]?.newest ?? 0) + 1
    await model.create(trx, tablesOf(model, generation))
    await insertGeneration(trx, model, generation, 'building')
    return generation
  })
  let next: Generation = { name: model.name, generation: building, version: model.version, position: 0n, status: 'building' }
  const goal = await store.head()
  for (;;) {
    const page = await store.readAll(next.position, PAGE)
    if (page.upTo > next.position) {
      await applyPage(db, model, next, page)
      next = { ...next, position: page.upTo }
      continue
    }
    // An empty page is not the end of the log: it may be a hole whose writer is still at work. Only a generation that has
    // seen all that there was, and all that readers see, may take over.
    if (next.position >= goal && (await flip(db, model, next))) return { ...next, status: 'live' }
    await new Promise((resolve) => setTimeout(resolve, HOLE_PAUSE_MS))
  }
}

/** Makes a generation live in one transaction; false, and nothing done, while the live one is further. */
async function flip(db: Kysely<never>, model: ReadModel, next: Generation): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await locked(trx, model.name)
    const { rows } = await sql<{ position: bigint }>`
      select position from es.subscriptions where name = ${model.name} and status in ('live', 'building') for update`.execute(trx)
    if (rows.some(({ position }) => position > next.position)) return false
    // One long reader must not make every other reader queue behind the change of the views.
    await sql`set local lock_timeout = '2s'`.execute(trx)
    await sql`update es.subscriptions set status = 'retired', updated_at = now() where name = ${model.name} and status = 'live'`.execute(
      trx,
    )
    await sql`
      update es.subscriptions set status = 'live', updated_at = now()
      where name = ${model.name} and generation = ${next.generation}`.execute(trx)
    await showViews(trx, model, next.generation)
    return true
  })
}

/** Removes the tables of generations that readers left behind, and of builds that died: a living one moves its checkpoint. */
export async function dropRetired(db: Kysely<never>, name: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await locked(trx, name)
    const { rows } = await sql<{ generation: number; tables: string[] }>`
      delete from es.subscriptions
      where name = ${name} and (status = 'retired' or (status = 'building' and updated_at < now() - interval '1 minute'))
      returning generation, tables`.execute(trx)
    for (const { tables } of rows) for (const table of tables) await sql`drop table if exists ${sql.table(table)}`.execute(trx)
  })
}

async function insertGeneration(
  trx: Transaction<never>,
  model: ReadModel,
  generation: number,
  status: Generation['status'],
): Promise<void> {
  const tables = Object.values(tablesOf(model, generation))
  await sql`
    insert into es.subscriptions (name, generation, version, status, tables)
    values (${model.name}, ${generation}, ${model.version}, ${status}, ${tables})`.execute(trx)
}

async function showViews(trx: Transaction<never>, model: ReadModel, generation: number): Promise<void> {
  for (const [base, table] of Object.entries(tablesOf(model, generation))) {
    await sql`drop view if exists ${sql.table(`rm_${base}`)}`.execute(trx)
    await sql`create view ${sql.table(`rm_${base}`)} as select * from ${sql.table(table)}`.execute(trx)
  }
}
