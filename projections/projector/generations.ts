import { sql, type Kysely, type Transaction } from 'kysely'
import { tablesOf, type Generation, type ReadModel } from './read-model.ts'

/** Serialises whoever wants to make, flip or retire generations of one read model. */
export const locked = (trx: Transaction<never>, name: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`read-model ${name}`}, 0))`.execute(trx)

/**
 * Commits of read models do not wait for the disk: a worker goes on from the checkpoint that a crash has left. What is live nobody makes
 * so again who believes that it is: this one does wait ("what goes live stays so when the server crashes").
 */
export const forGood = (trx: Transaction<never>) => sql`set local synchronous_commit = on`.execute(trx)

export async function liveGeneration(db: Kysely<never>, name: string): Promise<Generation | null> {
  const { rows } = await sql<Generation>`
    select name, generation, version, status, array_agg(position order by shard)::text[] as positions,
      coalesce(array_agg(shard order by shard) filter (where parked > 0), '{}') as parked
    from es.subscriptions where name = ${name} and status = 'live' group by name, generation, version, status`.execute(db)
  const [row] = rows
  return row === undefined ? null : { ...row, positions: row.positions.map(BigInt) }
}

/** Names what the views of these read models show: it changes with every change of their rows. */
export async function shownBy(db: Kysely<never>, names: readonly string[]): Promise<string> {
  const { rows } = await sql<{ shown: string | null }>`
    select string_agg(concat_ws(' ', name, generation, shard, position, parked), ',' order by name, generation, shard) as shown
    from es.subscriptions where status = 'live' and name = any(${[...names]})`.execute(db)
  return rows[0]?.shown ?? ''
}

/** The live generation, made empty where there is none. Two processes may ask at once: one makes it, both get it. */
export async function ensureLive(db: Kysely<never>, model: ReadModel): Promise<Generation> {
  const live = await liveGeneration(db, model.name)
  if (live !== null) return live
  return db.transaction().execute(async (trx) => {
    await forGood(trx)
    await locked(trx, model.name)
    const made = await liveGeneration(trx, model.name)
    if (made !== null) return made
    const first: Generation = {
      name: model.name,
      generation: 1,
      version: model.version,
      status: 'live',
      positions: [0n],
      parked: [],
    }
    await model.create(trx, tablesOf(model, 1))
    await model.index?.(trx, tablesOf(model, 1))
    await showViews(trx, model, 1)
    await insertGeneration(trx, model, first)
    return first
  })
}

/**
 * An empty generation beside the live one, under a number that none before it had: one that slept until it was removed finds nothing
 * where it was, and nobody else's ("a build that slept until it was removed takes nothing of the next one with it"). A process of a
 * version before these numbers were kept counts what is there, and may give one again.
 */
export async function beginBuilding(db: Kysely<never>, model: ReadModel, shards: number): Promise<Generation> {
  return db.transaction().execute(async (trx) => {
    await locked(trx, model.name)
    const generation = await newNumber(trx, model.name)
    const positions = Array.from({ length: shards }, () => 0n)
    const { name, version } = model
    const building: Generation = { name, generation, version, status: 'building', positions, parked: [] }
    await model.create(trx, tablesOf(model, generation))
    await insertGeneration(trx, model, building)
    return building
  })
}

async function newNumber(trx: Transaction<never>, name: string): Promise<number> {
  const present = sql`(select coalesce(max(generation), 0) from es.subscriptions where name = ${name})`
  const { rows } = await sql<{ newest: number }>`
    insert into es.generations (name, newest) values (${name}, ${present} + 1)
    on conflict (name) do update set newest = greatest(es.generations.newest, ${present}) + 1
    returning newest`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error(`no generation of ${name} could be numbered`)
  return row.newest
}

/** Readers see this generation from the end of the transaction on; the one before keeps its tables until it is dropped. */
export async function showInstead(trx: Transaction<never>, model: ReadModel, generation: number): Promise<void> {
  // One long reader must not make every other reader queue behind the change of the views: better to come again.
  await sql`set local lock_timeout = '500ms'`.execute(trx)
  await sql`update es.subscriptions set status = 'retired', updated_at = now() where name = ${model.name} and status = 'live'`.execute(
    trx,
  )
  await sql`
    update es.subscriptions set status = 'live', updated_at = now()
    where name = ${model.name} and generation = ${generation}`.execute(trx)
  await showViews(trx, model, generation)
}

/** A sign of life of whoever builds it. */
export async function touchGeneration(db: Kysely<never>, { name, generation }: Generation): Promise<void> {
  await sql`
    update es.subscriptions set updated_at = now()
    where name = ${name} and generation = ${generation} and status = 'building'`.execute(db)
}

/**
 * Removes what nobody has touched for a minute. Of generations that readers left behind, for by then every statement that began
 * on them has ended by its own limit; and of builds that died, for a living one is touched all the time. What is read all the
 * same is left for the next time
 * ("what a rebuild leaves behind is dropped while the product runs, but not under who still reads it").
 */
export async function dropRetired(db: Kysely<never>, name: string): Promise<void> {
  const old = sql`
    generation in (
      select generation from es.subscriptions where name = ${name} and status <> 'live'
      group by generation having max(updated_at) < now() - interval '1 minute')`
  // Asked often, and mostly there is nothing: without the lock.
  const { rows } = await sql`select 1 from es.subscriptions where name = ${name} and ${old} limit 1`.execute(db)
  if (rows.length === 0) return
  await dropWhere(db, name, old).catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error
  })
}

export const isLockTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '55P03'

/** Removes one generation that is not live. */
export async function dropGeneration(db: Kysely<never>, name: string, generation: number): Promise<void> {
  await dropWhere(db, name, sql`generation = ${generation} and status <> 'live'`)
}

async function dropWhere(db: Kysely<never>, name: string, which: ReturnType<typeof sql>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Whoever waits behind this for the lock on the read model need not wait for a long reader.
    await sql`set local lock_timeout = '2s'`.execute(trx)
    await locked(trx, name)
    const { rows } = await sql<{ generation: number; tables: string[] }>`
      delete from es.subscriptions where name = ${name} and (${which}) returning generation, tables`.execute(trx)
    const generations = [...new Set(rows.map(({ generation }) => generation))]
    await sql`delete from es.dead_letters where name = ${name} and generation = any(${generations})`.execute(trx)
    for (const table of new Set(rows.flatMap(({ tables }) => tables)))
      await sql`drop table if exists ${sql.table(table)}`.execute(trx)
  })
}

async function insertGeneration(trx: Transaction<never>, model: ReadModel, made: Generation): Promise<void> {
  const tables = Object.values(tablesOf(model, made.generation))
  await sql`
    insert into es.subscriptions (name, generation, shard, shards, version, status, tables)
    select ${model.name}, ${made.generation}, shard, ${made.positions.length}, ${model.version}, ${made.status}, ${tables}
    from generate_series(0, ${made.positions.length - 1}::int) shard`.execute(trx)
}

async function showViews(trx: Transaction<never>, model: ReadModel, generation: number): Promise<void> {
  for (const [base, table] of Object.entries(tablesOf(model, generation))) {
    await sql`drop view if exists ${sql.table(`rm_${base}`)}`.execute(trx)
    await sql`create view ${sql.table(`rm_${base}`)} as select * from ${sql.table(table)}`.execute(trx)
  }
}
