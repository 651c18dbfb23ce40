import type { Db } from '#migrations/db'
import { sql, type Kysely } from 'kysely'
import { EXPIRES_SOON_MS } from '#commands/payment/card-expiry'
import type { DerivedId } from '#domain/kit/derived-id'
import type { PaymentGateway } from '#commands/payment/payment-gateway'
import { queueMail } from '../mail/mail-queue.ts'
import { ownersOf } from './payment-mails.ts'

type ExpiryKit = {
  readonly db: Kysely<Db>
  readonly derivedId: DerivedId
  readonly now: () => string
  readonly accounts: {
    readonly opened: (spaceId: string) => Promise<{ readonly name: string; readonly whitelabel_id: string } | null>
  }
  readonly payments: { readonly gateway: Pick<PaymentGateway, 'provider'> }
}

/** Queues a mail about each card that expires within 30 days, once for a card. Test cards expire too. */
export async function warnOfExpiry({ accounts, db, derivedId, now, payments }: ExpiryKit): Promise<void> {
  const until = new Date(Date.parse(now()) + EXPIRES_SOON_MS).toISOString()
  const expiry = sql`make_timestamptz(c.exp_year, c.exp_month, 1, 0, 0, 0, 'UTC') + interval '1 month'`
  const expiring = await db
    .selectFrom('app.cards as c')
    .innerJoin('rm_account_cards as a', 'a.card_id', 'c.id')
    .select(['c.id', 'c.space_id', 'c.brand', 'c.last4', 'c.exp_month', 'c.exp_year'])
    .where('c.removed_at', 'is', null)
    .where('c.warned_at', 'is', null)
    .where('c.provider', '=', payments.gateway.provider)
    .where(sql<boolean>`${expiry} between ${now()} and ${until}`)
    .execute()
  for (const { id, space_id, brand, last4, exp_month, exp_year } of expiring) {
    const account = await accounts.opened(space_id)
    const expires = `${String(exp_month).padStart(2, '0')}/${exp_year}`
    await db.transaction().execute(async (tx) => {
      const card = tx.updateTable('app.cards').set({ warned_at: now() }).where('id', '=', id)
      const { numUpdatedRows } = await card.where('warned_at', 'is', null).executeTakeFirst()
      if (numUpdatedRows !== 1n || account === null) return
      for (const owner of await ownersOf(tx, space_id))
        await queueMail(tx, {
          id: derivedId('card expires', id, expires, owner.id),
          whitelabelId: account.whitelabel_id,
          to: { personId: owner.id },
          template: 'card-expires',
          data: { account: account.name, brand, last4, expires },
        })
    })
  }
}
