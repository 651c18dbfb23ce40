import { sql, type Transaction } from 'kysely'
import type { Db } from '#migrations/db'

/** Removes forms of a person that were not carried out yet. */
export async function removeRequests(tx: Transaction<Db>, personId: string): Promise<void> {
  await sql`
    delete from app.registration_requests using identity.people p
    where p.id = ${personId} and (person_id = p.id
      or (app.registration_requests.whitelabel_id = p.whitelabel_id and form ->> 'email' = p.email))`.execute(tx)
}
