import type { Pool } from 'pg'

/** Where the events are that the checkpoints of a database were counted in. */
export type LogKind = 'postgresql' | 'kurrentdb'

/** The kind of log that this database belongs to; null until the first write. */
export async function readLogKind(pool: Pool): Promise<LogKind | null> {
  const { rows } = await pool.query<{ kind: LogKind }>('select kind from es.log_kind')
  return rows[0]?.kind ?? null
}

/** The same before a write: the first caller decides. */
export async function claimLogKind(pool: Pool, wanted: LogKind): Promise<LogKind> {
  await pool.query('insert into es.log_kind (kind) values ($1) on conflict do nothing', [wanted])
  return (await readLogKind(pool)) ?? wanted
}
