import { sql, type Kysely } from 'kysely'
import { expect } from 'vitest'
import { seal } from '#commands/handle'
import type { decodeEvent } from '#domain/every-event'
import type { CommandContext } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { derivedId } from '#platform/ids'
import { tablesOf, type ReadModel } from '#projections/projector/read-model'
import { GENESIS } from '#proof/hash-chain'
import { createTestDatabase } from './database.ts'

/**
 * Specs of read models: `given(commits).project(model)`, then its rows. Events are applied and rows read in one transaction, which is
 * rolled back: no product runs, and no row stays behind.
 */

/** An event in its newest shape, as a decider returns it. */
export type Fact = ReturnType<typeof decodeEvent>

/** The events of one command on one stream. */
export type Commit = { readonly stream: string; readonly facts: readonly Fact[]; readonly context: Context }
type Context = Partial<CommandContext & { readonly at: string }>

export const commit = (stream: string, facts: Fact | readonly Fact[], context: Context = {}): Commit => ({
  stream,
  facts: [facts].flat(),
  context,
})

const ADA: CommandContext = {
  actor: 'ada',
  role: 'USER_OWNER',
  on_behalf_of: null,
  source: 'ui',
  command_id: '',
  body_hash: null,
  correlation: '',
  causation: null,
}

/** The time of the n-th commit, from zero: a minute after the one before. */
export const minute = (n: number): string => new Date(Date.parse('2026-11-01T08:00:00.000Z') + n * 60_000).toISOString()

/** The log of these commits, as the product stores them. */
export function logOf(commits: readonly Commit[]): readonly StoredEvent[] {
  const log: StoredEvent[] = []
  const ends = new Map<string, { readonly version: number; readonly revision: number; readonly hash: string }>()
  for (const [n, { stream, facts, context }] of commits.entries()) {
    const { at = minute(n), ...by } = { ...ADA, command_id: `command ${n}`, ...context }
    const end = ends.get(stream) ?? { version: 0, revision: 0, hash: GENESIS }
    const meta = { at, actor: by.actor, revision: end.revision + 1 }
    const { events, hash } = seal(stream, facts, end, by, meta, (id, index) => derivedId(stream, id, String(index)))
    ends.set(stream, { version: end.version + events.length, revision: meta.revision, hash })
    for (const [index, event] of events.entries())
      log.push({ ...event, stream, version: end.version + index + 1, position: BigInt(log.length + 1) })
  }
  return log
}

type Row = Readonly<Record<string, unknown>>

/** Types of the events in the examples of each read model. */
const examples = new Map<string, Set<string>>()

/** Whether the examples of a read model, so far, contain these events. */
export function expectExamplesOf({ name }: ReadModel, types: readonly string[]): void {
  const missing = types.filter((type) => examples.get(name)?.has(type) !== true)
  expect(missing, `events without an example of ${name}`).toEqual([])
}

export function given(...commits: readonly Commit[]) {
  const log = logOf(commits)
  return {
    /** `also` are read models that a query joins with the first. */
    project(model: ReadModel, ...also: readonly ReadModel[]) {
      const known = examples.get(model.name) ?? new Set()
      examples.set(model.name, known)
      for (const event of log) if (model.concerns(event)) known.add(event.type)
      const models = [model, ...also].map((one) => [one, 1] as const)

      const applied = <T>(work: (tx: Kysely<Db>) => Promise<T>): Promise<T> =>
        rolledBack(models, async (tx) => {
          for (const [one] of models) await one.apply(tx, tablesOf(one, 1), log, new Map())
          return work(tx)
        })
      const rowsIn = async (tx: Kysely<Db>, base: string): Promise<readonly Row[]> =>
        (await textsOf(tx, tablesOf(model, 1)[base] ?? '')).map((row) => JSON.parse(row) as Row)

      return {
        /** The rows of a table, the first unless another one is named, by their primary key. */
        rows: (base = model.tables[0] ?? '') => applied((tx) => rowsIn(tx, base)),

        /** Expects these rows, and no others, in each of these tables; columns that are left out may have any value. */
        shows: (tables: Readonly<Record<string, readonly object[]>>) =>
          applied(async (tx) => {
            for (const [base, rows] of Object.entries(tables)) expect(await rowsIn(tx, base), base).toMatchObject(rows)
          }),

        /** What a query of the views answers. */
        read: <T>(query: (db: Kysely<Db>) => Promise<T>) =>
          applied(async (tx) => {
            for (const [base, table] of models.flatMap(([one]) => Object.entries(tablesOf(one, 1))))
              await sql`create temporary view ${sql.table(`rm_${base}`)} as select * from ${sql.table(table)}`.execute(tx)
            return query(tx)
          }),
      }
    },
  }
}

/** The rows of a table as JSON, by their primary key. */
export async function textsOf(tx: Kysely<Db>, table: string): Promise<readonly string[]> {
  const keys = await sql<{ name: string }>`
    select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = ${table}::regclass and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)`.execute(tx)
  const key = sql.join(keys.rows.map(({ name }) => sql.ref(name)))
  const { rows } = await sql<{ text: string }>`
    select to_jsonb(t)::text as text from ${sql.table(table)} t order by ${key}`.execute(tx)
  return rows.map(({ text }) => text)
}

/** One database for all files of a worker, with the tables that they asked for. It is removed with its server. */
let database: Promise<Kysely<Db>> | undefined
const created = new Map<string, Promise<void>>()

type Generation = readonly [model: ReadModel, generation: number]

/** Runs `work` in a transaction on a database with the tables of these generations, all empty, and rolls it back. */
export async function rolledBack<T>(generations: readonly Generation[], work: (tx: Kysely<Db>) => Promise<T>): Promise<T> {
  database ??= createTestDatabase().then(({ pool }) => createKysely(pool))
  const db = await database
  for (const [model, generation] of generations) {
    const [key, tables] = [`${model.name} ${generation}`, tablesOf(model, generation)]
    // Once: it takes longer than most examples.
    if (!created.has(key))
      created.set(
        key,
        model.create(db, tables).then(() => model.index?.(db, tables)),
      )
    await created.get(key)
  }
  const tx = await db.startTransaction().execute()
  try {
    return await work(tx)
  } finally {
    await tx.rollback().execute()
  }
}
