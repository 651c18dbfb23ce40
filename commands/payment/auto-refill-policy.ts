import type { AutoRefill } from '#domain/account/cards'
import type { Micros } from '#domain/kit/money'
import { isRefillDue, monthStart } from '#domain/payment/auto-refill'
import { due, type Sweep } from '../sweep.ts'
import { systemContext } from '#domain/kit/event-metadata'
import type { Charge, Payments } from './payments.ts'
import type { PaymentStorage } from './payment-storage.ts'

/** How often accounts are checked: a balance does not fall faster than its charges are settled. */
const CHECK_MS = 1000

/** An account whose automatic refill is on. */
export type RefilledAccount = {
  readonly spaceId: string
  readonly whitelabelId: string
  readonly currency: string
  /** Seconds east of UTC of its white-label. */
  readonly offsetSeconds: number
  readonly available: Micros
  readonly mayPay: boolean
  readonly autoRefill: AutoRefill
}

export type AutoRefillDeps = {
  readonly payments: Pick<Payments, 'charge'>
  readonly storage: PaymentStorage
  /** Accounts whose automatic refill is on, as read models show them now. */
  readonly candidates: () => Promise<readonly RefilledAccount[]>
  /** One of them, after read models have reached the end of the log; null once it is off. */
  readonly upToDate: (spaceId: string) => Promise<RefilledAccount | null>
  /** Automatic refills of an account: all of its life, and what those since an instant took. */
  readonly made: (spaceId: string, since: string) => Promise<{ readonly made: number; readonly taken: Micros }>
  readonly defaultCard: (spaceId: string) => Promise<string | null>
  readonly provider: string
  readonly derivedId: (...parts: readonly string[]) => string
  readonly now: () => string
  readonly isAway: () => boolean
}

/**
 * Charges the default card of accounts that have less than their threshold. The n-th automatic refill of an account has an id derived from n,
 * so two processes that find the same one due charge once. None is made while a payment of the account is unfinished: what it brings is not
 * in the balance yet.
 */
export function autoRefillPolicy(deps: AutoRefillDeps): Sweep {
  const { payments, storage, candidates, upToDate, made, defaultCard, provider, derivedId, now, isAway } = deps
  let nextAt = 0

  const isPossible = ({ mayPay, autoRefill, available }: RefilledAccount): boolean =>
    mayPay && isRefillDue(autoRefill, available, 0)

  async function refill(spaceId: string): Promise<void> {
    // Before the read models: a payment that finishes in between is then in the balance that they show.
    if (await storage.tasks.ofAccount(spaceId)) return
    const account = await upToDate(spaceId)
    if (account === null || !isPossible(account)) return
    const { autoRefill, available, whitelabelId, currency, offsetSeconds } = account
    const { made: before, taken } = await made(spaceId, monthStart(now(), offsetSeconds))
    const cardId = await defaultCard(spaceId)
    const card = cardId === null ? null : await storage.cards.find(cardId)
    if (!isRefillDue(autoRefill, available, taken) || card === null || card.provider !== provider) return
    const paymentId = derivedId('auto-refill', spaceId, String(before + 1))
    const { amount } = autoRefill
    const order: Charge = { paymentId, spaceId, whitelabelId, amount, currency, card, origin: 'auto_refill', invoiceId: null }
    await payments.charge(order, systemContext('payments', derivedId('auto-refill started', paymentId)))
  }

  return {
    name: 'auto-refill',
    scan: async () => {
      if (isAway() || Date.now() < nextAt) return []
      nextAt = Date.now() + CHECK_MS
      return due(
        (await candidates()).filter(isPossible),
        ({ spaceId }) => spaceId,
        ({ spaceId }) => refill(spaceId),
      )
    },
  }
}
