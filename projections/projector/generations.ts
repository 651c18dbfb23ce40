import { sql, type Kysely, type Transaction } from 'kysely'
import type { Db } from '#migrations/db'
import { NOW } from '#eventstore/postgres/expressions'
import { tablesOf, type Generation, type ReadModel } from './read-model.ts'

/** Serialises changes to the generations of one read model. */
export const lockGenerations = (trx: Transaction<Db>, name: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`read-model ${name}`}, 0))`.execute(trx)

/**
 * Commits of read models are asynchronous: after a crash a worker continues from the older checkpoint. A process that saw a flip
 * will not repeat it, so the flip must be durable before it is visible ("makes a flip durable before it is visible").
 */
export const commitDurably = (trx: Transaction<Db>) => sql`set local synchronous_commit = on`.execute(trx)

export async function liveGeneration(db: Kysely<Db>, name: string): Promise<Generation | null> {
  const live = await db
    .selectFrom('es.subscriptions')
    .select(['name', 'generation', 'version', 'status', 'position', 'parked'])
    .where('name', '=', name)
    .where('status', '=', 'live')
    .executeTakeFirst()
  return live ?? null
}

/** Identifies what the views of these read models show: it changes with every change of their rows. */
export async function shownBy(db: Kysely<Db>, names: readonly string[]): Promise<string> {
  const { rows } = await sql<{ shown: string | null }>`
    select string_agg(concat_ws(' ', name, generation, position, parked), ',' order by name) as shown
    from es.subscriptions where status = 'live' and name = any(${[...names]})`.execute(db)
  return rows[0]?.shown ?? ''
}

/** The live generation, created empty when there is none. When two processes call it at once, one creates it and both get it. */
export async function ensureLive(db: Kysely<Db>, model: ReadModel): Promise<Generation> {
  const live = await liveGeneration(db, model.name)
  if (live !== null) return live
  return db.transaction().execute(async (trx) => {
    await commitDurably(trx)
    await lockGenerations(trx, model.name)
    const existing = await liveGeneration(trx, model.name)
    if (existing !== null) return existing
    await model.create(trx, tablesOf(model, 1))
    await model.index?.(trx, tablesOf(model, 1))
    await showViews(trx, model, 1)
    return insertGeneration(trx, model, 1, 'live')
  })
}

/**
 * Creates an empty generation beside the live one. Its number was never used before, so a build that was suspended until its
 * generation was dropped never touches the tables of the next one ("does not touch the next build when it resumes after its own
 * was dropped").
 */
export async function beginBuilding(db: Kysely<Db>, model: ReadModel): Promise<Generation> {
  return db.transaction().execute(async (trx) => {
    await lockGenerations(trx, model.name)
    const generation = await newNumber(trx, model.name)
    await model.create(trx, tablesOf(model, generation))
    return insertGeneration(trx, model, generation, 'building')
  })
}

async function newNumber(trx: Transaction<Db>, name: string): Promise<number> {
  const present = sql`(select coalesce(max(generation), 0) from es.subscriptions where name = ${name})`
  const { rows } = await sql<{ newest: number }>`
    insert into es.generations (name, newest) values (${name}, ${present} + 1)
    on conflict (name) do update set newest = greatest(es.generations.newest, ${present}) + 1
    returning newest`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error(`no generation of ${name} could be numbered`)
  return row.newest
}

/** Points the views at this generation, and retires the one before, which keeps its tables until it is dropped. */
export async function showInstead(trx: Transaction<Db>, model: ReadModel, generation: number): Promise<void> {
  // A long reader would make all other readers queue behind the change of the views: fail and retry instead.
  await sql`set local lock_timeout = '500ms'`.execute(trx)
  await trx
    .updateTable('es.subscriptions')
    .set({ status: 'retired', updated_at: NOW })
    .where('name', '=', model.name)
    .where('status', '=', 'live')
    .execute()
  await trx
    .updateTable('es.subscriptions')
    .set({ status: 'live', updated_at: NOW })
    .where('name', '=', model.name)
    .where('generation', '=', generation)
    .execute()
  await showViews(trx, model, generation)
}

/** Marks a generation that is being built as alive. */
export async function touchGeneration(db: Kysely<Db>, { name, generation }: Generation): Promise<void> {
  await db
    .updateTable('es.subscriptions')
    .set({ updated_at: NOW })
    .where('name', '=', name)
    .where('generation', '=', generation)
    .where('status', '=', 'building')
    .execute()
}

/**
 * Drops generations that were not touched for a minute: retired ones, because every statement that began on them has reached its
 * timeout by then, and abandoned builds, because a running build is touched every second. A generation that is still read is left
 * for the next call ("drops replaced generations while the product runs, but never under a reader").
 */
export async function dropRetired(db: Kysely<Db>, name: string): Promise<void> {
  const old = sql`status <> 'live' and updated_at < now() - interval '1 minute'`
  // Called often, and mostly there is nothing to do: check without the lock first.
  const { rows } = await sql`select 1 from es.subscriptions where name = ${name} and ${old} limit 1`.execute(db)
  if (rows.length === 0) return
  await dropWhere(db, name, old).catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error
  })
}

export const isLockTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '55P03'

/** Removes one generation that is not live. */
export async function dropGeneration(db: Kysely<Db>, name: string, generation: number): Promise<void> {
  await dropWhere(db, name, sql`generation = ${generation} and status <> 'live'`)
}

async function dropWhere(db: Kysely<Db>, name: string, which: ReturnType<typeof sql>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Other processes queue behind this for the lock on the read model: do not wait long for a reader.
    await sql`set local lock_timeout = '2s'`.execute(trx)
    await lockGenerations(trx, name)
    const { rows } = await sql<{ generation: number; tables: string[] }>`
      delete from es.subscriptions where name = ${name} and ${which} returning generation, tables`.execute(trx)
    const generations = rows.map(({ generation }) => generation)
    await trx
      .deleteFrom('es.dead_letters')
      .where('name', '=', name)
      .where('generation', '=', (eb) => eb.fn.any(eb.val(generations)))
      .execute()
    for (const table of rows.flatMap(({ tables }) => tables)) await sql`drop table if exists ${sql.table(table)}`.execute(trx)
  })
}

async function insertGeneration(
  trx: Transaction<Db>,
  model: ReadModel,
  generation: number,
  status: 'building' | 'live',
): Promise<Generation> {
  const { name, version } = model
  const tables = Object.values(tablesOf(model, generation))
  await trx.insertInto('es.subscriptions').values({ name, generation, version, status, tables }).execute()
  return { name, generation, version, status, position: 0n, parked: 0 }
}

async function showViews(trx: Transaction<Db>, model: ReadModel, generation: number): Promise<void> {
  for (const [base, table] of Object.entries(tablesOf(model, generation))) {
    await sql`drop view if exists ${sql.table(`rm_${base}`)}`.execute(trx)
    await sql`create view ${sql.table(`rm_${base}`)} as select * from ${sql.table(table)}`.execute(trx)
  }
}
