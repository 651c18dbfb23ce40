import type { Pool } from 'pg'

/**
 * The tables of a database, in any schema of the product, with a row that contains the text in any column, as text or bytes.
 */
export async function tablesWith(pool: Pool, text: string): Promise<readonly string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  )
  // A row printed as text shows bytes as hex digits, and doubles quotes and backslashes.
  const wanted = [text, Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64url')]
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `select 1 from ${name} t, unnest($1::text[]) wanted where position(lower(wanted) in lower(t::text)) > 0 limit 1`,
      [wanted],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}
