import { languageOf } from '#domain/kit/languages'
import { zoneOf, type InvoiceState } from '#domain/invoice/state'
import { fromMicros } from '#domain/kit/money'
import { dayIn } from '#domain/kit/time-zone'
import { ownersOf } from '#projections/account/people'
import type { Needs } from '#api/areas/services'

type MailsKit = Needs<'accounts' | 'db' | 'derivedId' | 'queueMail'>

/** Queues an issued invoice for its recipients: the addresses given, else the first owner of the account. */
export function createInvoiceMails({ accounts, db, derivedId, queueMail }: MailsKit) {
  return {
    /** Returns the number of recipients. A repeat of the command queues nothing again. */
    async queue(
      id: string,
      state: InvoiceState,
      { commandId, emails }: { readonly commandId: string; readonly emails: readonly string[] },
    ): Promise<number> {
      const [account, owners] = await Promise.all([accounts.opened(state.space_id), ownersOf(db, state.space_id)])
      const [owner] = owners
      const to = emails.length > 0 ? emails.map((address) => ({ address })) : owner === undefined ? [] : [{ personId: owner.id }]
      const day = (instant: string | null) => (instant === null ? '' : dayIn(instant, zoneOf(state)))
      await db.transaction().execute(async (tx) => {
        for (const [i, recipient] of to.entries())
          await queueMail(tx, {
            id: derivedId('invoice-mail', id, commandId, String(i)),
            whitelabelId: state.whitelabel_id,
            to: recipient,
            template: 'invoice',
            data: {
              invoice: id,
              number: state.number ?? '',
              account: account?.name ?? '',
              total: fromMicros(state.payable),
              currency: state.currency,
              from: state.charge_from_date,
              to: state.charge_to_date,
              due: day(state.due_at),
              language: languageOf(owner?.language_key),
            },
          })
      })
      return to.length
    },
  }
}
