import type { QueuedMail } from '#commands/mail/mail-queue'
import { sql, type Kysely } from 'kysely'

/**
 * Queues a mail in the caller's transaction: it is sent if and only if the transaction commits. The leader of the policies sends
 * it at least once, with retries.
 */
export async function queueMail(tx: Kysely<never>, mail: QueuedMail): Promise<void> {
  const personId = 'personId' in mail.to ? mail.to.personId : null
  const address = 'address' in mail.to ? mail.to.address : null
  await sql`
    insert into app.mails (id, whitelabel_id, person_id, address, template, data, next_at)
    values (${mail.id}, ${mail.whitelabelId}, ${personId}, ${address}, ${mail.template}, ${JSON.stringify(mail.data)}::jsonb,
      now() + make_interval(secs => ${mail.afterSeconds ?? 0}))
    on conflict (id) do nothing`.execute(tx)
}
