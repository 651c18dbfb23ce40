import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/**
 * Forgets batches that were accepted this many days ago: at most `limit`. Kept are those whose facts wait for the fact store, those
 * with charges of their own, and those of the demo, which say that it is filled in. Returns how many.
 */
export async function removeOldBatches(db: Kysely<Db>, days: number, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from app.delivery_batches where id in (
      select b.id from app.delivery_batches b
      where b.facts is null and b.received_at < now() - make_interval(days => ${days}) and b.id not like 'demo/%'
        and not exists (select from app.delivery_charges c where c.batch_id = b.id)
      order by b.received_at limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows)
}
