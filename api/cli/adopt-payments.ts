import type { Kysely } from 'kysely'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { createPaymentCommands } from '#commands/payment/payment-commands'
import type { PaymentGateway } from '#commands/payment/payment-gateway'
import { createPayments } from '#commands/payment/payments'
import { systemContext } from '#domain/kit/event-metadata'
import type { EventStore } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { derivedId, newId } from '#platform/ids'
import { createPaymentStorage } from '#platform/payment/payment-storage'
import { invoiceOfPayment } from '#projections/invoice/queries'
import type { Unrecorded } from '../reconciliation/payment-checks.ts'

/** Records payments that the log lost. The result says why not; null when the payment is recorded. */
export function createAdoption(db: Kysely<Db>, store: EventStore, gateway: PaymentGateway, now: () => string) {
  const handle = createHandler({ store, now, eventId: (commandId, n) => derivedId('event', commandId, String(n)) })
  const accounts = createAccountCommands(handle)
  const payments = createPayments({
    gateway,
    // No receipt: it was mailed when the payment was made.
    storage: createPaymentStorage({ db, onFinished: async () => async () => undefined }),
    payments: createPaymentCommands(handle),
    accounts,
    derivedId,
    newId,
    now,
  })

  return async function adopt({ isSecond, spaceId, methodId, ...taken }: Unrecorded): Promise<string | null> {
    if (isSecond) return 'the customer paid twice: give it back at the provider'
    const account = await accounts.execute(spaceId ?? '', systemContext('reconciliation', newId()), { type: 'ReadAccount' })
    if (spaceId === null || account.kind === 'rejected') return 'its account is not known here'
    const { currency, whitelabel_id: whitelabelId } = account.state
    if (currency !== taken.currency) return `its currency is ${taken.currency}, and that of the account ${currency}`
    const card = await db.selectFrom('app.cards').select('id').where('method_id', '=', methodId).executeTakeFirst()
    const invoiceId = await invoiceOfPayment(db, taken.paymentId)
    const adopted = await payments.adopt({ ...taken, spaceId, whitelabelId, cardId: card?.id ?? methodId, invoiceId })
    return adopted.kind === 'rejected' ? 'the provider says otherwise now' : null
  }
}
