import { sql, type Kysely } from 'kysely'
import type { MailStore, WaitingMail } from '#commands/mail/mail-sender'
import { MAIL_JOB } from '#commands/mail/mail-queue'
import { NOW } from '#eventstore/postgres/expressions'
import { openRow } from '#eventstore/postgres/sealed-columns'
import type { Db } from '#migrations/db'

/** How long sent mails are kept, for questions about them, days. */
const KEPT_DAYS = 30

/** Mails in PostgreSQL; their jobs say when each is sent. */
export function createMailStore(db: Kysely<Db>): MailStore & { readonly purge: () => Promise<void> } {
  const one = (id: string) => db.updateTable('app.mails').where('id', '=', id)
  return {
    async find(id) {
      const mail = await db
        .selectFrom('app.mails')
        .select(['id', 'whitelabel_id', 'person_id', 'address', 'template', 'data', 'uncertain'])
        .where('id', '=', id)
        .where('sent_at', 'is', null)
        .executeTakeFirst()
      return mail === undefined ? null : (openRow(db, 'app.mails', id, mail) as WaitingMail)
    },
    async noteUncertain(id) {
      await one(id).set({ uncertain: true }).execute()
    },
    async sent(id, personId) {
      await one(id)
        .set({ sent_at: NOW, address: null, person_id: sql`coalesce(person_id, ${personId}, 'unknown')` })
        .execute()
    },
    async drop(id) {
      await db.deleteFrom('app.mails').where('id', '=', id).execute()
    },
    /** A dead job is purged before its mail. */
    async purge() {
      await sql`
        delete from app.mails m where created_at < now() - make_interval(days => ${KEPT_DAYS})
          and not exists (select from app.jobs j where j.kind = ${MAIL_JOB.name} and j.key = m.id)`.execute(db)
    },
  }
}
