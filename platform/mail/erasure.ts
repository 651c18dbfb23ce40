import { sql, type Transaction } from 'kysely'
import type { Db } from '#migrations/db'

/** Removes mails to a person, by id or by address, and the keys in their links. */
export async function removeMails(tx: Transaction<Db>, personId: string): Promise<void> {
  await sql`
    delete from app.mails using identity.people p
    where p.id = ${personId} and app.mails.whitelabel_id = p.whitelabel_id and address = p.email`.execute(tx)
  await tx.deleteFrom('app.mails').where('person_id', '=', personId).execute()
  await tx.deleteFrom('identity.mail_keys').where('person_id', '=', personId).execute()
}
