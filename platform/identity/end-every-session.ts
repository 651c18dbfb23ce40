import type { PoolClient } from 'pg'

/** Ends the sessions of all people, after a restore: one that was ended since the backup must not live again. Answers their number. */
export async function endEverySession(client: Pick<PoolClient, 'query'>): Promise<number> {
  const { rowCount } = await client.query('update identity.session_families set revoked_at = now() where revoked_at is null')
  return rowCount ?? 0
}
