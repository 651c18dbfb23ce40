import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { PaymentGateway, TakenPayment } from '#commands/payment/payment-gateway'
import { movementOf } from '#domain/account/movements'
import type { Micros } from '#domain/kit/money'
import {
  decodePaymentEvent,
  evolve as evolvePayment,
  initial as initialPayment,
  paymentStream,
  type PaymentReport,
  type PaymentState,
} from '#domain/payment/payment'
import type { EventStore } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { differencesOf, sumsBy, type Check } from './difference.ts'

const paymentOf = async (store: EventStore, id: string): Promise<PaymentState> =>
  (await store.readStream(paymentStream(id))).map(decodePaymentEvent).reduce(evolvePayment, initialPayment)

/** Proceeds of a payment according to its provider: less refunds, and less disputes that were not won. */
function broughtBy({ status, refunds, disputes }: PaymentReport, amount: Micros): Micros {
  if (status !== 'succeeded') return 0
  const back = [
    ...refunds.filter((refund) => refund.status === 'succeeded'),
    ...disputes.filter((dispute) => dispute.status !== 'won'),
  ]
  return back.reduce((left, one) => left - one.amount, amount)
}

/**
 * Compares the proceeds of each card payment in the ledger with those at its provider. Payments of another provider, such as
 * those of a test before Stripe was set up, cannot be asked for and are left out.
 */
export const paymentsAgainstGateway =
  (db: Kysely<Db>, store: EventStore, gateway: Pick<PaymentGateway, 'provider' | 'read'>): Check =>
  async (ledger) => {
    const rows = await db
      .selectFrom('rm_payments as p')
      .innerJoin('app.cards as c', 'c.id', 'p.card_id')
      .select('p.id')
      .where('p.space_id', '=', ledger.spaceId)
      .where('c.provider', '=', gateway.provider)
      .execute()
    const asked = new Set(rows.map(({ id }) => id))
    const brought = new Map<string, Micros>()
    for (const id of asked) {
      const state = await paymentOf(store, id)
      const report = state.provider_id === null ? null : await gateway.read(state.provider_id)
      if (report !== null) brought.set(id, broughtBy(report, state.amount))
    }
    const recorded = ledger.movements.filter(
      (event) =>
        (event.type === 'PaymentReceived' ||
          event.type === 'PaymentRefunded' ||
          event.type === 'RefundReversed' ||
          event.type === 'PaymentDisputed' ||
          event.type === 'DisputeWon') &&
        asked.has(event.data.payment_id),
    )
    const inLedger = sumsBy(recorded, ({ data }) => ('payment_id' in data ? data.payment_id : ''), movementOf)
    return differencesOf(ledger, { check: 'payment', against: 'gateway' }, inLedger, brought)
  }

/** A payment that took money at the gateway, and is not recorded as succeeded there. */
export type Unrecorded = TakenPayment & {
  /** Whether the log has it with another payment of the gateway: the customer was charged twice. */
  readonly isSecond: boolean
}

/**
 * Payments that took money since then and that the log does not have, such as those of after the backup that was restored. One that is
 * recorded when it is looked at again was in progress.
 */
export async function unrecordedPayments(
  db: Kysely<Db>,
  store: EventStore,
  gateway: Pick<PaymentGateway, 'taken'>,
  { since, settleMs }: { readonly since: string; readonly settleMs: number },
): Promise<readonly Unrecorded[]> {
  async function look(taken: TakenPayment): Promise<readonly Unrecorded[]> {
    const { status, provider_id: known } = await paymentOf(store, taken.paymentId)
    if (status !== 'succeeded') return [{ ...taken, isSecond: false }]
    return known === taken.providerId ? [] : [{ ...taken, isSecond: true }]
  }
  async function accountOf(customerId: string | null): Promise<string | null> {
    const customers = db
      .selectFrom('app.payment_customers')
      .select('space_id')
      .where('customer_id', '=', customerId ?? '')
    return (await customers.executeTakeFirst())?.space_id ?? null
  }
  const found: Unrecorded[] = []
  for await (const taken of gateway.taken(since)) found.push(...(await look(taken)))
  if (found.length > 0) await delay(settleMs)
  const lost = (await Promise.all(found.map(look))).flat()
  return Promise.all(lost.map(async (one) => ({ ...one, spaceId: one.spaceId ?? (await accountOf(one.customerId)) })))
}
