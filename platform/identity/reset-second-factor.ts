import { queueMail } from '../mail/mail-queue.ts'
import type { Kysely } from 'kysely'
import type { Db } from '#migrations/db'

type Reset = { readonly db: Kysely<Db>; readonly now: () => string; readonly newId: () => string }

/**
 * Switches off the second factor of a user who lost it, with a security event and a mail; false when no user with this address has
 * one. Their API keys end with it (migration 0280).
 */
export function resetSecondFactor({ db, now, newId }: Reset, address: string, whitelabelId: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const person = await tx
      .deleteFrom('identity.second_factors as f')
      .using('identity.people as p')
      .whereRef('p.id', '=', 'f.person_id')
      .where('p.whitelabel_id', '=', whitelabelId)
      .where('p.email', '=', address.trim().toLowerCase())
      .where('f.confirmed_at', 'is not', null)
      .returning('p.id')
      .executeTakeFirst()
    if (person === undefined) return false
    await tx.deleteFrom('identity.recovery_codes').where('person_id', '=', person.id).execute()
    await tx
      .insertInto('app.security_events')
      .values({
        at: now(),
        type: 'second-factor-reset',
        whitelabel_id: whitelabelId,
        person_id: person.id,
        client_network: null,
        details: JSON.stringify({ by: 'command line' }),
        count: 1,
      })
      .execute()
    const to = { personId: person.id }
    await queueMail(tx, { id: newId(), whitelabelId, to, template: 'second-factor-reset', data: { at: now() } })
    return true
  })
}
