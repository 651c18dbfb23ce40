import { sql, type Kysely } from 'kysely'
import type { MailStore, TakenMail } from '#commands/mail/mail-sender'
import { anyOf, inSeconds, NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** How long sent and failed mails are kept, for questions about them, days. */
const KEPT_DAYS = 30

/** The queue of mails in PostgreSQL. */
export function createMailStore(db: Kysely<Db>): MailStore & { readonly purge: () => Promise<void> } {
  const one = (id: string) => db.updateTable('app.mails').where('id', '=', id)
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
      await db
        .updateTable('app.mails')
        .set({ next_at: inSeconds(seconds) })
        .where('id', '=', anyOf(ids))
        .where('sent_at', 'is', null)
        .where('failure', 'is', null)
        .execute()
    },
    async postponeUncertain(id, seconds) {
      await one(id)
        .set({ uncertain: true, next_at: inSeconds(seconds) })
        .execute()
    },
    async sent(id, personId) {
      await one(id)
        .set({ sent_at: NOW, address: null, person_id: sql`coalesce(person_id, ${personId}, 'unknown')` })
        .execute()
    },
    async fail(id, failure) {
      await one(id).set({ failure }).execute()
    },
    async drop(id) {
      await db.deleteFrom('app.mails').where('id', '=', id).execute()
    },
    async purge() {
      await db
        .deleteFrom('app.mails')
        .where((eb) => eb.or([eb('sent_at', 'is not', null), eb('failure', 'is not', null)]))
        .where('created_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
        .execute()
    },
  }
}
