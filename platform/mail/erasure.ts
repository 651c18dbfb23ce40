import { sql, type Transaction } from 'kysely'
import { MAIL_JOB } from '#commands/mail/mail-queue'
import type { Db } from '#migrations/db'
import { removeJobs } from '../jobs/job-queue.ts'

/** Removes mails to a person, by id or by address, and the keys in their links. */
export async function removeMails(tx: Transaction<Db>, personId: string): Promise<void> {
  const { rows } = await sql<{ readonly id: string }>`
    delete from app.mails m using identity.people p
    where p.id = ${personId} and (m.person_id = p.id or (m.whitelabel_id = p.whitelabel_id and m.address = p.email))
    returning m.id`.execute(tx)
  await removeJobs(
    tx,
    MAIL_JOB,
    rows.map(({ id }) => id),
  )
  await tx.deleteFrom('identity.mail_keys').where('person_id', '=', personId).execute()
}
