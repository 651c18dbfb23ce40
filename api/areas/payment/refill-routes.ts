import type { ReceiptStates } from '#platform/payment/payment-mails'
import { actorNamer } from '#commands/identity/person'
import type { FastifyInstance } from 'fastify'
import { cardsOf } from '#domain/account/cards'
import { reject, type Fault } from '#domain/kit/errors'
import { unitsFault } from '#domain/kit/faults'
import { fromMicros, toMicros } from '#domain/kit/money'
import { amountFaults } from '#domain/payment/amounts'
import { monthStart, suggestedAutoRefill } from '#domain/payment/auto-refill'
import { FAILURE_TEXTS } from '#domain/payment/failures'
import type { Charged } from '#commands/payment/payments'
import { autoRefillOf, autoRefillsMade, pageOfPayments } from '#projections/payment/queries'
import * as contract from '#contract/payments'
import { contextOf } from '#api/http/caller'
import type { Served } from '#api/areas/services'
import { callerOf, personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { accepted, Refused, refused } from '#commands/refused'
import { createPayingAccounts } from './accounts.ts'
import { refillOut, rowOut } from './records.ts'

const PAGE_SIZE = 10
/** Refills of one account. */
const REFILLS = { limit: 60, seconds: 3600 }

/** Refills by card, their history, and automatic refills (fine print 60, decisions G-214). */
export function registerRefillRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'commands.accounts' | 'db' | 'limits' | 'payments' | 'people' | 'whiteLabels'>,
  receiptStates: ReceiptStates,
): void {
  const { accounts, commands, db, derivedId, guards, limits, now, payments, people, whiteLabels } = kit
  const paying = createPayingAccounts(kit)

  /** The answer of a payment; one that failed is refused with its reason, and with the position of what was stored of it. */
  function answer(id: string, { state, clientToken, position }: Extract<Charged, { kind: 'done' }>) {
    if (state.status !== 'failed' || state.failure_code === null) return refillOut(id, state, clientToken, position)
    const { failure_code: failure } = state
    const fault = { path: 'payment_method_id', code: 142, message: FAILURE_TEXTS[failure] } as const
    throw new Refused(reject(142, [fault], FAILURE_TEXTS[failure]), { id, failure_code: failure, position: String(position) })
  }

  register(app, guards, contract.refill, async (call) => {
    const caller = callerOf(call)
    const { amount: units, payment_method_id: cardId, space_id } = call.body
    const card = await payments.storage.cards.find(cardId)
    const place = await paying.placeOfThing(caller.actor, 'card.write', card?.space_id ?? null, space_id)
    const { spaceId, whitelabelId } = place
    const account = await paying.payingState(spaceId)
    if (card === null || !cardsOf(account).includes(cardId) || card.provider !== payments.gateway.provider)
      throw refused(131, [{ path: 'payment_method_id', code: 131, message: 'The account has no such card' }])
    const amount = toMicros(units)
    const faults = amount === null ? [unitsFault('amount', units)] : amountFaults(amount, account.currency)
    if (amount === null || faults.length > 0) throw new Refused(reject(2, faults))
    await limits.reserve([{ key: `refill ${spaceId}`, ...REFILLS }])
    const paymentId = derivedId('payment', caller.commandId)
    const { currency } = account
    const charge = { paymentId, spaceId, whitelabelId, amount, currency, card, origin: 'refill', invoiceId: null } as const
    const charged = accepted(await payments.charge(charge, contextOf(caller, place, 'card.write')))
    return answer(paymentId, charged)
  })

  /** A payment in reach; 131 for any other. */
  async function paymentFor(call: Parameters<typeof personOf>[0], id: string, action: 'card.read' | 'card.write') {
    const state = await payments.stateOf(id)
    await paying.placeOfThing(personOf(call), action, state.status === 'none' ? null : state.space_id, null)
    return state
  }

  register(app, guards, contract.getRefill, async (call) => {
    const { id } = call.params
    await paymentFor(call, id, 'card.read')
    const { state, clientToken, position } = await payments.refresh(id)
    return refillOut(id, state, clientToken, position)
  })

  register(app, guards, contract.testConfirmation, async (call) => {
    const { id, outcome } = call.body
    const { testBank } = payments
    const { provider_id: providerId } = await paymentFor(call, id, 'card.write')
    if (testBank === null || providerId === null) throw refused(131)
    await testBank.confirmation(providerId, outcome)
    return answer(id, await payments.refresh(id))
  })

  register(app, guards, contract.refillHistory, async (call) => {
    const actor = personOf(call)
    const { page = 0, page_size: size = PAGE_SIZE } = call.query
    const { spaceId } = await paying.placeFor(actor, 'balance.read', call.query)
    const { rows, total } = await pageOfPayments(db, spaceId, page, size)
    const [known, mailed] = await Promise.all([
      people.namesOf([...new Set(rows.map((row) => row.actor))].filter((id) => !id.startsWith('system:'))),
      receiptStates(
        spaceId,
        rows.map(({ id }) => id),
      ),
    ])
    const name = actorNamer(actor, spaceId, known)
    return {
      current_page: page,
      page_size: size,
      total_size: total,
      data: rows.map((row) => rowOut(row, mailed.get(row.id), name(row.actor, 'PaymentStarted'))),
    }
  })

  /** Receipts that wait or were given up. Those that were sent are removed from the queue after a month. */
  register(app, guards, contract.getAutoRefill, async (call) => {
    const { spaceId, whitelabelId } = await paying.placeFor(personOf(call), 'card.read', call.query)
    const since = monthStart(now(), whiteLabels.brandOf(whitelabelId).timezoneOffsetSeconds)
    const [account, saved, made] = await Promise.all([
      accounts.find(spaceId),
      autoRefillOf(db, spaceId),
      autoRefillsMade(db, spaceId, since),
    ])
    if (account === null) throw refused(110)
    const { enabled, threshold, amount, monthly_limit } = saved ?? suggestedAutoRefill(account.currency)
    const { stopped_code: code = null, stopped_at: at = null } = saved ?? {}
    return {
      enabled,
      threshold: fromMicros(threshold),
      amount: fromMicros(amount),
      monthly_limit: fromMicros(monthly_limit),
      currency: account.currency,
      spent_this_month: fromMicros(made.taken),
      stopped: code === null || at === null ? null : { failure_code: code, at },
    }
  })

  register(app, guards, contract.saveAutoRefill, async (call) => {
    const caller = callerOf(call)
    const { space_id, enabled, threshold, amount, monthly_limit } = call.body
    const place = await paying.placeFor(caller.actor, 'card.write', { space_id })
    // Switching it off is always possible.
    if (enabled) await paying.payingState(place.spaceId)
    const faults: Fault[] = []
    const micros = (path: string, units: number) => {
      const value = toMicros(units)
      if (value === null) faults.push(unitsFault(path, units))
      return value ?? 0
    }
    const autoRefill = {
      enabled,
      threshold: micros('threshold', threshold),
      amount: micros('amount', amount),
      monthly_limit: micros('monthly_limit', monthly_limit),
    }
    if (faults.length > 0) throw refused(2, faults)
    const command = { type: 'ChangeAutoRefill', autoRefill } as const
    const context = contextOf(caller, place, 'card.write')
    const done = accepted(await commands.accounts.execute(place.spaceId, context, command))
    return { enabled, threshold, amount, monthly_limit, position: String(done.position) }
  })
}
