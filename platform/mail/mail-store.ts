import { sql, type Kysely } from 'kysely'
import type { MailStore, TakenMail } from '#commands/mail/mail-sender'

/** How long sent and failed mails are kept, for questions about them, days. */
const KEPT_DAYS = 30

/** The queue of mails in PostgreSQL. */
export function createMailStore(db: Kysely<never>): MailStore & { readonly purge: () => Promise<void> } {
  return {
    async take(most, seconds, oldAfterDays) {
      const { rows } = await sql<TakenMail>`
        update app.mails set attempts = attempts + 1, next_at = now() + make_interval(secs => ${seconds})
        where id in (
          select id from app.mails where sent_at is null and failure is null and next_at <= now()
          order by next_at limit ${most} for update skip locked)
        returning id, whitelabel_id, person_id, address, template, data, attempts, uncertain,
          created_at < now() - make_interval(days => ${oldAfterDays}) as is_old`.execute(db)
      return rows
    },
    async postpone(ids, seconds) {
      await sql`update app.mails set next_at = now() + make_interval(secs => ${seconds})
        where id = any(${[...ids]}) and sent_at is null and failure is null`.execute(db)
    },
    async postponeUncertain(id, seconds) {
      await sql`update app.mails set uncertain = true, next_at = now() + make_interval(secs => ${seconds})
        where id = ${id}`.execute(db)
    },
    async sent(id, personId) {
      await sql`update app.mails set sent_at = now(), address = null, person_id = coalesce(person_id, ${personId}, 'unknown')
        where id = ${id}`.execute(db)
    },
    async fail(id, reason) {
      await sql`update app.mails set failure = ${reason} where id = ${id}`.execute(db)
    },
    async drop(id) {
      await sql`delete from app.mails where id = ${id}`.execute(db)
    },
    async purge() {
      await sql`delete from app.mails
        where (sent_at is not null or failure is not null) and created_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(
        db,
      )
    },
  }
}
