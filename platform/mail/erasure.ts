import { sql, type Transaction } from 'kysely'
import { MAIL_JOB } from '#commands/mail/mail-queue'
import { anyOf } from '#eventstore/postgres/expressions'
import { openRow } from '#eventstore/postgres/sealed-columns'
import type { Db } from '#migrations/db'
import { removeJobs } from '../jobs/job-queue.ts'

/** Removes mails to a person, by id or by address, and the keys in their links. */
export async function removeMails(tx: Transaction<Db>, personId: string): Promise<void> {
  // A sealed address cannot be compared by the statement; mails have one only while they wait.
  const found = await tx
    .selectFrom('app.mails as m')
    .innerJoin('identity.people as p', (join) => join.on('p.id', '=', personId))
    .select(['m.id', 'm.address', 'p.email', sql<boolean>`m.person_id is not distinct from p.id`.as('isOwn')])
    .where((eb) =>
      eb.or([
        eb('m.person_id', '=', personId),
        eb.and([eb('m.whitelabel_id', '=', eb.ref('p.whitelabel_id')), eb('m.address', 'is not', null)]),
      ]),
    )
    .execute()
  const ids = found
    .filter(({ isOwn, email, ...row }) => isOwn || openRow(tx, 'app.mails', row.id, row).address === email)
    .map(({ id }) => id)
  await tx.deleteFrom('app.mails').where('id', '=', anyOf(ids)).execute()
  await removeJobs(tx, MAIL_JOB, ids)
  await tx.deleteFrom('identity.mail_keys').where('person_id', '=', personId).execute()
}
