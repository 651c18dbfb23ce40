import { queueMail } from '../mail/mail-queue.ts'
import type { Kysely } from 'kysely'
import type { Db } from '#migrations/db'

type Reset = { readonly db: Kysely<Db>; readonly now: () => string; readonly newId: () => string }

/** A user of a white-label by their address or their id. */
export type WhoLostFactor = { readonly whitelabelId: string } & ({ readonly address: string } | { readonly personId: string })

/** User who resets it, as the security log names them; `approval` is the id of the command that a second person confirmed. */
export type ResetBy = {
  readonly by: string
  readonly asked_by?: string
  readonly approval?: string
  readonly comment?: string
}

/**
 * Switches off the second factor of a user who lost it and removes their passkeys, which count as one, with a security event and a
 * mail; false when no such user has either. Their API keys end with it (migrations 0280 and 0460). A repeat for the same approval
 * changes nothing.
 */
export function resetSecondFactor({ db, now, newId }: Reset, who: WhoLostFactor, by: ResetBy): Promise<boolean> {
  const { whitelabelId } = who
  return db.transaction().execute(async (tx) => {
    const people = tx.selectFrom('identity.people').select('id').where('whitelabel_id', '=', whitelabelId)
    const found =
      'address' in who ? people.where('email', '=', who.address.trim().toLowerCase()) : people.where('id', '=', who.personId)
    const person = await found.forUpdate().executeTakeFirst()
    if (person === undefined) return false
    if (by.approval !== undefined && (await isDone(tx, person.id, by.approval))) return true
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
        details: JSON.stringify(by),
        count: 1,
      })
      .execute()
    const to = { personId: person.id }
    await queueMail(tx, { id: newId(), whitelabelId, to, template: 'second-factor-reset', data: { at: now() } })
    return true
  })
}

async function isDone(tx: Kysely<Db>, personId: string, approval: string): Promise<boolean> {
  const done = await tx
    .selectFrom('app.security_events')
    .select('id')
    .where('person_id', '=', personId)
    .where('type', '=', 'second-factor-reset')
    .where((eb) => eb(eb.fn<string>('json_extract_path_text', ['details', eb.val('approval')]), '=', approval))
    .executeTakeFirst()
  return done !== undefined
}
