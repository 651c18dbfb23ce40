import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** Removes the oldest security events that are this many days old, at most `limit`. The table refuses to lose younger ones. */
export async function removeOldSecurityEvents(db: Kysely<Db>, days: number, limit: number): Promise<number> {
  // Ids are in order of time: only the oldest rows are read, whether they are old or not.
  const { numAffectedRows = 0n } = await sql`
    delete from app.security_events where id in (
      select id from (select id, at from app.security_events order by id limit ${limit}) oldest
      where at < now() - make_interval(days => ${days})
    )`.execute(db)
  return Number(numAffectedRows)
}
