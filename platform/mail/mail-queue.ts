import type { QueuedMail } from '#commands/mail/mail-queue'
import type { Kysely } from 'kysely'
import { inSeconds } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/**
 * Queues a mail in the caller's transaction: it is sent if and only if the transaction commits. The leader of the policies sends
 * it at least once, with retries.
 */
export async function queueMail(tx: Kysely<Db>, mail: QueuedMail): Promise<void> {
  await tx
    .insertInto('app.mails')
    .values({
      id: mail.id,
      whitelabel_id: mail.whitelabelId,
      person_id: 'personId' in mail.to ? mail.to.personId : null,
      address: 'address' in mail.to ? mail.to.address : null,
      template: mail.template,
      data: JSON.stringify(mail.data),
      next_at: inSeconds(mail.afterSeconds ?? 0),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
