import type { Pool } from 'pg'

/** Where the events are that the checkpoints of a database were counted in. */
export type LogKind = 'postgresql' | 'kurrentdb'

/** Answers the kind of log that this migrated database belongs to; the first to ask decides. */
export async function claimLogKind(pool: Pool, wanted: LogKind): Promise<LogKind> {
  await pool.query('insert into es.log_kind (kind) values ($1) on conflict do nothing', [wanted])
  const { rows } = await pool.query<{ kind: LogKind }>('select kind from es.log_kind')
  return rows[0]?.kind ?? wanted
}
