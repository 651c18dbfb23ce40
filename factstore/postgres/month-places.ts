import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { MONTHLY_TABLES } from './months.ts'

/** A partition of a month. `bytes` counts its indexes, `place` is its table space. */
export type MonthPlace = { readonly name: string; readonly month: string; readonly bytes: number; readonly place: string }

/** Where months of facts are, the oldest first. */
export async function listMonths(db: Kysely<Db>): Promise<readonly MonthPlace[]> {
  const { rows } = await sql<MonthPlace>`
    select c.relname as name, replace(right(c.relname, 7), '_', '-') as month,
      pg_total_relation_size(c.oid)::float8 as bytes, coalesce(s.spcname, ${STANDARD}) as place
    from pg_inherits i join pg_class c on c.oid = i.inhrelid left join pg_tablespace s on s.oid = c.reltablespace
    where i.inhparent = any(${MONTHLY_TABLES.map((table) => `facts.${table}`)}::regclass[])
    order by month, name`.execute(db)
  return rows
}

/** The table space of a database that has no other. */
const STANDARD = 'pg_default'
/** A report that is being read holds its months: who waits longer makes all others wait behind. */
const LOCK_TIMEOUT = '5s'

/**
 * Moves a month's table and its indexes to a table space, one after the other. Each is copied, and reports of that month and late
 * facts wait until its copy is whole. What is there already stays, so a move that was interrupted goes on where it stopped. Rejects
 * with PostgreSQL's error for an unknown table space, and with 55P03 when the month is read for too long.
 */
export async function moveMonth(db: Kysely<Db>, { name }: Pick<MonthPlace, 'name'>, place: string): Promise<void> {
  const table = sql.table(`facts.${name}`)
  const { rows: indexes } = await sql<{ readonly name: string }>`
    select c.relname as name from pg_index x join pg_class c on c.oid = x.indexrelid
    where x.indrelid = ${`facts.${name}`}::regclass order by 1`.execute(db)
  const statements = [
    sql`alter table ${table} set tablespace ${sql.id(place)}`,
    ...indexes.map((index) => sql`alter index ${sql.table(`facts.${index.name}`)} set tablespace ${sql.id(place)}`),
  ]
  for (const statement of statements)
    await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
      await statement.execute(tx)
    })
}
