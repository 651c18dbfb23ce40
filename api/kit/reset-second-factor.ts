import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { queueMail } from './mail/mail-queue.ts'

type Reset = { readonly db: Kysely<Db>; readonly now: () => string; readonly newId: () => string }

/**
 * Switches off the second factor of a user who lost it, with a security event and a mail; false when no user with this address has
 * one. Their API keys end with it (migration 0280).
 */
export function resetSecondFactor({ db, now, newId }: Reset, address: string, whitelabelId: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      delete from identity.second_factors f using identity.people p
      where p.id = f.person_id and p.whitelabel_id = ${whitelabelId} and p.email = ${address.trim().toLowerCase()}
        and f.confirmed_at is not null returning p.id`.execute(tx)
    const [person] = rows
    if (person === undefined) return false
    await sql`delete from identity.recovery_codes where person_id = ${person.id}`.execute(tx)
    await sql`
      insert into app.security_events (at, type, whitelabel_id, person_id, client_network, details, count)
      values (${now()}, 'second-factor-reset', ${whitelabelId}, ${person.id}, null, '{"by": "command line"}'::json, 1)`.execute(
      tx,
    )
    const to = { personId: person.id }
    await queueMail(tx, { id: newId(), whitelabelId, to, template: 'second-factor-reset', data: { at: now() } })
    return true
  })
}
