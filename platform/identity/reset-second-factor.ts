import { queueMail } from '../mail/mail-queue.ts'
import type { Kysely } from 'kysely'
import type { Db } from '#migrations/db'

type Reset = { readonly db: Kysely<Db>; readonly now: () => string; readonly newId: () => string }

/**
 * Switches off the second factor of a user who lost it and removes their passkeys, which count as one, with a security event and a
 * mail; false when no user with this address has either. Their API keys end with it (migrations 0280 and 0460).
 */
export function resetSecondFactor({ db, now, newId }: Reset, address: string, whitelabelId: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const person = await tx
      .selectFrom('identity.people')
      .select('id')
      .where('whitelabel_id', '=', whitelabelId)
      .where('email', '=', address.trim().toLowerCase())
      .forUpdate()
      .executeTakeFirst()
    if (person === undefined) return false
    const factors = tx.deleteFrom('identity.second_factors').where('person_id', '=', person.id)
    const factor = await factors.where('confirmed_at', 'is not', null).executeTakeFirst()
    const passkeys = await tx.deleteFrom('identity.passkeys').where('person_id', '=', person.id).executeTakeFirst()
    if (factor.numDeletedRows + passkeys.numDeletedRows === 0n) return false
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
