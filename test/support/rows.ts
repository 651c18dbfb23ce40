import type { Pool } from 'pg'

/** Inserts rows into a table. Columns that they leave out have the values of the row that satisfies `like`, without it their defaults. */
export async function insertRows(
  pool: Pool,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  like?: string,
): Promise<void> {
  // Tables of read models are views, which do not tell that their column is generated.
  const { rows: written } = await pool.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'search_name'`,
    [table],
  )
  const columns = (like === undefined ? Object.keys(rows[0] ?? {}) : written.map(({ name }) => name)).join(', ')
  const [base, from] = like === undefined ? [`null::${table}`, ''] : ['t', `, ${table} t where ${like}`]
  await pool.query(
    `insert into ${table} (${columns})
     select ${columns} from (select (jsonb_populate_record(${base}, r)).* from jsonb_array_elements($1::jsonb) r${from}) c`,
    [JSON.stringify(rows)],
  )
}
