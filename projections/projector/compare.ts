import { sql, type Kysely } from 'kysely'
import { tablesOf, type ReadModel } from './read-model.ts'

/** Rows of one table that two generations do not have alike. */
export type Difference = { readonly table: string; readonly missing: number; readonly extra: number; readonly changed: number }

/** More than these are counted, not looked at again. */
const LOOKED_AT = 1000

/** A table's differing rows, by the text of their primary keys. */
export type Suspects = ReadonlyMap<string, readonly string[]>

const keysOf = async (db: Kysely<never>, table: string): Promise<readonly string[]> => {
  const { rows } = await sql<{ column: string }>`
    select a.attname as column from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = ${table}::regclass and i.indisprimary order by array_position(i.indkey, a.attnum)`.execute(db)
  return rows.map(({ column }) => column)
}

const keyText = (alias: string, keys: readonly string[]) =>
  sql`concat_ws(E'\\x1f', ${sql.join(keys.map((key) => sql`${sql.ref(`${alias}.${key}`)}::text`))})`

/**
 * Keys of the rows that differ between two generations, whole rows compared as text: byte for byte. Taken in one statement per
 * table, without a lock: rows that were only on their way are cleared by the second look, `differences`, under the lock.
 */
export async function suspects(db: Kysely<never>, model: ReadModel, older: number, newer: number): Promise<Suspects> {
  const found = new Map<string, readonly string[]>()
  for (const base of model.tables) {
    const [a, b] = [tablesOf(model, older)[base] ?? '', tablesOf(model, newer)[base] ?? '']
    const keys = await keysOf(db, b)
    const { rows } = await sql<{ key: string }>`
      select coalesce(a.key, b.key) as key
      from (select ${keyText('t', keys)} as key, md5(t::text) as row from ${sql.table(a)} t) a
      full join (select ${keyText('t', keys)} as key, md5(t::text) as row from ${sql.table(b)} t) b on a.key = b.key
      where a.row is distinct from b.row`.execute(db)
    found.set(
      base,
      rows.map(({ key }) => key),
    )
  }
  return found
}

/** What still differs of the suspects. Called where neither generation can move. */
export async function differences(
  db: Kysely<never>,
  model: ReadModel,
  older: number,
  newer: number,
  of: Suspects,
): Promise<readonly Difference[]> {
  const result: Difference[] = []
  for (const [base, all] of of) {
    if (all.length === 0) continue
    const looked = all.slice(0, LOOKED_AT)
    const [a, b] = [tablesOf(model, older)[base] ?? '', tablesOf(model, newer)[base] ?? '']
    const keys = await keysOf(db, b)
    const { rows } = await sql<Omit<Difference, 'table'>>`
      select count(*) filter (where b.key is null)::int as missing, count(*) filter (where a.key is null)::int as extra,
             count(*) filter (where a.row <> b.row)::int as changed
      from (select ${keyText('t', keys)} as key, t::text as row from ${sql.table(a)} t where ${keyText('t', keys)} = any(${looked})) a
      full join (select ${keyText('t', keys)} as key, t::text as row from ${sql.table(b)} t where ${keyText('t', keys)} = any(${looked})) b
        on a.key = b.key`.execute(db)
    const { missing = 0, extra = 0, changed = 0 } = rows[0] ?? {}
    if (missing + extra + changed > 0) result.push({ table: base, missing, extra, changed })
  }
  return result
}
