import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** A table whose rows are written whole. */
export type Target = { readonly table: string; readonly key: string; readonly columns: readonly string[] }

/** Rows per statement. */
const CHUNK = 200

/**
 * Upserts rows, whose properties are named like the columns. A row with the same version or a later one stays: applying twice is
 * harmless.
 */
export async function upsertRows(db: Kysely<Db>, { table, key, columns }: Target, rows: readonly object[]): Promise<void> {
  const into = sql.table(table)
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const updates = columns.flatMap((name) => (name === key ? [] : [sql`${sql.ref(name)} = excluded.${sql.ref(name)}`]))
  for (let from = 0; from < rows.length; from += CHUNK)
    await sql`
      insert into ${into} (${names})
      select ${names} from json_populate_recordset(null::${into}, ${JSON.stringify(rows.slice(from, from + CHUNK))}::json)
      on conflict (${sql.ref(key)}) do update set ${sql.join(updates)}
      where ${into}.version < excluded.version`.execute(db)
}
