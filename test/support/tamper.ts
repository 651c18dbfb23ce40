import type { TestDatabase } from './database.ts'

/** A change of a column to another valid value of its type. */
const OTHER: Readonly<Record<string, string>> = {
  text: `coalesce(%, '') || 'x'`,
  boolean: 'not %',
  smallint: 'coalesce(%, 0) + 1',
  integer: 'coalesce(%, 0) + 1',
  bigint: 'coalesce(%, 0) + 1',
  'double precision': 'coalesce(%, 0) + 1',
  'timestamp with time zone': `coalesce(%, now()) + interval '1 second'`,
  ARRAY: `% || 'x'::text`,
  jsonb: `case jsonb_typeof(%) when 'array' then % || '"x"' else coalesce(%, '{}') || '{"revision": 77}' end`,
  json: `'{"other": 1}'::json`,
}

export type Column = { readonly name: string; readonly type: string }

/** Columns of a table that are not generated from others. */
export async function columnsOf({ pool }: TestDatabase, table: string): Promise<readonly Column[]> {
  const { rows } = await pool.query<Column>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  return rows
}

/** An SQL expression for another value of a column. */
export function otherValue({ name, type }: Column): string {
  const change = OTHER[type]
  if (change === undefined) throw new Error(`no other value is known for a column of type ${type}`)
  return change.replaceAll('%', `"${name}"`)
}
