import type { Kysely } from 'kysely'
import { MAIL_JOB, type QueueMail } from '#commands/mail/mail-queue'
import { anyOf } from '#eventstore/postgres/expressions'
import { sealRow } from '#eventstore/postgres/sealed-columns'
import type { Db } from '#migrations/db'
import { removeUntriedJobs, storeWithJob } from '../jobs/job-queue.ts'

/**
 * Queues a mail in the caller's transaction: it is sent if and only if the transaction commits. Its job sends it at least once, with
 * retries.
 */
export const queueMail: QueueMail = async (tx, mail) => {
  const { id, template, afterSeconds } = mail
  const row = tx
    .insertInto('app.mails')
    .values({
      id,
      whitelabel_id: mail.whitelabelId,
      person_id: 'personId' in mail.to ? mail.to.personId : null,
      template,
      ...sealRow(tx, 'app.mails', id, { address: 'address' in mail.to ? mail.to.address : null, data: mail.data }),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id as key')
  await storeWithJob(tx, row, { kind: MAIL_JOB, payload: { template }, afterSeconds })
}

/** Removes those of these mails that were not tried so far. */
export async function withdrawMails(db: Kysely<Db>, ids: readonly string[]): Promise<void> {
  const withdrawn = await removeUntriedJobs(db, MAIL_JOB, ids)
  await db.deleteFrom('app.mails').where('id', '=', anyOf(withdrawn)).execute()
}
