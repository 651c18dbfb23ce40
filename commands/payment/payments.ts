import { systemContext } from '#domain/kit/event-metadata'
import type { AccountCommand } from '#domain/account/account'
import type { CommandContext } from '#domain/kit/event-metadata'
import { reject, type Rejection } from '#domain/kit/errors'
import type { Micros } from '#domain/kit/money'
import {
  isOffSession,
  isPending,
  movementsOf,
  type PaymentCommand,
  type PaymentMovement,
  type PaymentOrigin,
  type PaymentState,
} from '#domain/payment/payment'
import type { Position } from '#eventstore/event-store'
import type { AccountCommands } from '../account/account-commands.ts'
import type { PaymentCommands } from './payment-commands.ts'
import { DONE, type JobOutcome } from '../jobs/job.ts'
import { GatewayMissing, GatewayRefused, type GatewayPayment, type PaymentGateway, type TakenPayment } from './payment-gateway.ts'
import type { PaymentStorage, PaymentTask, StoredCard } from './payment-storage.ts'

/** A request is over by then: what it left undone is finished by the policies. */
const ABANDONED_AFTER_MS = 60_000
/** How often a payment that waits for its user or its bank is read. */
const POLL_MS = 60_000
/** How long a user has for a confirmation by the bank. */
const CONFIRM_WITHIN_MS = 3_600_000
/** A task without a payment: its process ended before the first event. */
const NEVER_STARTED_MS = 300_000
/** How often a live payment is tried while Stripe is set up with keys of its test mode. */
const OTHER_KEYS_MS = 3_600_000

/** A payment that is to be made. */
export type Charge = {
  readonly paymentId: string
  readonly spaceId: string
  readonly whitelabelId: string
  readonly amount: Micros
  readonly currency: string
  readonly card: Pick<StoredCard, 'id' | 'customer_id' | 'method_id'>
  readonly origin: PaymentOrigin
  /** The invoice that it pays; null for a refill. */
  readonly invoiceId: string | null
}

/** A payment of the provider that is to be recorded. `cardId`: the account's card, or the provider's id of one that is not known. */
export type AdoptedPayment = Pick<TakenPayment, 'providerId' | 'paymentId' | 'amount' | 'currency'> & {
  readonly spaceId: string
  readonly whitelabelId: string
  readonly cardId: string
  readonly invoiceId: string | null
}

export type Charged =
  | {
      readonly kind: 'done'
      readonly state: PaymentState
      /** For a confirmation by the bank in the browser; null when there is nothing to confirm. */
      readonly clientToken: string | null
      readonly position: Position
    }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

export type PaymentsDeps = {
  readonly gateway: PaymentGateway
  readonly storage: PaymentStorage
  readonly payments: PaymentCommands
  readonly accounts: AccountCommands
  readonly derivedId: (...parts: readonly string[]) => string
  readonly newId: () => string
  readonly now: () => string
}

/**
 * Payments by card, from the order to the ledger:
 * 1. a task is stored, so that policies finish what a process leaves undone;
 * 2. the payment is started in the log, then opened at the provider without taking money, then confirmed there. The provider's id is in the
 *    log before the confirmation, so no payment is confirmed twice, however long ago the first attempt was;
 * 3. what the provider reports is recorded in the payment's stream, and then in the account's, where the derived ids of the commands
 *    let each movement count once;
 * 4. the task is removed.
 * Each step may be repeated, in any process. A refill that was opened and never confirmed is cancelled: no money moves without its user.
 */
export function createPayments({ gateway, storage, payments, accounts, derivedId, newId, now }: PaymentsDeps) {
  /** Records what is new. A report is decided on the payment's state, so a repeat records nothing. */
  async function executed(paymentId: string, command: PaymentCommand) {
    const done = await payments.execute(paymentId, systemContext('payments', newId()), command)
    if (done.kind === 'rejected') throw new Error(`payment ${paymentId} refused ${command.type} with ${done.rejection.code}`)
    return done
  }
  const stateOf = async (paymentId: string): Promise<PaymentState> => (await executed(paymentId, { type: 'Read' })).state

  async function charge(order: Charge, context: CommandContext): Promise<Charged> {
    const { paymentId, spaceId: space_id, whitelabelId: whitelabel_id, amount, currency, card, origin } = order
    const before = await stateOf(paymentId)
    if (before.status === 'none') {
      // While it can still be refused: money that was taken is recorded whatever the balance is.
      const room = await accounts.execute(space_id, systemContext('payments', newId()), { type: 'CheckRoom', amount })
      if (room.kind === 'rejected') return room
      // Not for a repeat: one of a payment that is over must not cause again what it caused.
      await addTask(paymentId, { space_id, card_id: card.id })
    }
    const data = { space_id, whitelabel_id, amount, currency, card_id: card.id, origin, invoice_id: order.invoiceId }
    const started = await payments.execute(paymentId, context, { type: 'Start', payment: data })
    if (started.kind === 'rejected') return started
    const state = await stateOf(paymentId)
    if (!isPending(state)) return settled(paymentId, state)
    // The task goes on with it: a policy that repeats the order would ask without pauses.
    if (before.status !== 'none' && isOffSession(origin)) return settledOrPending(paymentId, state)
    return asked(paymentId, () => taken(paymentId, state, card))
  }

  /** Records what the provider answers; a payment that it refuses to make, or does not know, has failed. */
  async function asked(
    paymentId: string,
    ask: () => Promise<GatewayPayment | null>,
  ): Promise<Extract<Charged, { kind: 'done' }>> {
    const answer = await ask().catch((error: unknown) => {
      if (error instanceof GatewayRefused) return error.failureCode
      if (error instanceof GatewayMissing) return error.what === 'payment' ? 'canceled' : 'card_unknown'
      throw error
    })
    if (answer !== null && typeof answer !== 'string') return recorded(paymentId, answer)
    const { state } = await executed(paymentId, { type: 'GiveUp', failureCode: answer ?? 'canceled' })
    return settled(paymentId, state)
  }

  /** The payment at the provider after its money was asked for, once; null when the provider has no such payment. */
  async function taken(paymentId: string, state: PaymentState, card: Charge['card']): Promise<GatewayPayment | null> {
    const providerId = await opened(paymentId, state, card)
    const present = await gateway.read(providerId)
    return present?.status === 'unconfirmed' ? confirmed(paymentId, providerId, state, card) : present
  }

  const confirmed = (paymentId: string, providerId: string, { origin }: PaymentState, { method_id: methodId }: Charge['card']) =>
    gateway.confirm({ providerId, paymentId, methodId, offSession: isOffSession(origin) })

  /** The provider's id of the payment, which is in the log when this resolves. */
  async function opened(paymentId: string, state: PaymentState, card: Charge['card']): Promise<string> {
    if (state.provider_id !== null) return state.provider_id
    const { amount, currency } = state
    const { customer_id: customerId, method_id: methodId } = card
    const { providerId } = await gateway.open({ paymentId, customerId, methodId, amount, currency })
    const { state: present } = await executed(paymentId, { type: 'Open', providerId })
    if (present.provider_id !== null) return present.provider_id
    // Another process gave the payment up.
    await gateway.cancel(providerId)
    return providerId
  }

  /** Records a report in the payment, and what follows from it in the account. */
  async function recorded(paymentId: string, report: GatewayPayment): Promise<Extract<Charged, { kind: 'done' }>> {
    const before = await stateOf(paymentId)
    // Money that arrives after a failure: the ledger follows even when this process ends now.
    if (report.status === 'succeeded' && before.status === 'failed') await addTask(paymentId, before)
    const { state } = await executed(paymentId, { type: 'Report', report })
    return { ...(await settled(paymentId, state)), clientToken: isPending(state) ? report.clientToken : null }
  }

  const addTask = (paymentId: string, { space_id, card_id }: Pick<PaymentState, 'space_id' | 'card_id'>) =>
    storage.tasks.add({ paymentId, spaceId: space_id, cardId: card_id, startedAt: now(), afterMs: ABANDONED_AFTER_MS })

  /** Brings the account in line with the payment. */
  async function settled(paymentId: string, state: PaymentState): Promise<Extract<Charged, { kind: 'done' }>> {
    let position: Position | null = null
    const execute = async (commandId: string, command: AccountCommand) => {
      const done = await accounts.execute(state.space_id, systemContext('payments', commandId), command)
      if (done.kind === 'rejected') throw new Error(`the ledger refused ${command.type} with ${done.rejection.code}`)
      position = done.position
    }
    for (const movement of movementsOf(paymentId, state))
      await execute(derivedId('payment', paymentId, movement.type, movement.id), ledgerCommand(paymentId, state, movement))
    if (state.status === 'failed' && state.origin === 'auto_refill' && state.failure_code !== null)
      await execute(derivedId('auto-refill stopped', paymentId), {
        type: 'StopAutoRefill',
        paymentId,
        failureCode: state.failure_code,
      })
    if (!isPending(state)) await storage.tasks.finish(paymentId, state)
    return {
      kind: 'done',
      state,
      clientToken: null,
      position: position ?? (await executed(paymentId, { type: 'Read' })).position,
    }
  }

  /** Reads a pending payment at the provider: after a confirmation by the bank. */
  async function refresh(paymentId: string): Promise<Extract<Charged, { kind: 'done' }>> {
    const state = await stateOf(paymentId)
    if (!isPending(state) || state.provider_id === null) return settledOrPending(paymentId, state)
    const report = await gateway.read(state.provider_id)
    return report === null ? settledOrPending(paymentId, state) : recorded(paymentId, report)
  }

  async function settledOrPending(paymentId: string, state: PaymentState) {
    if (!isPending(state)) return settled(paymentId, state)
    const { position } = await executed(paymentId, { type: 'Read' })
    return { kind: 'done', state, clientToken: null, position } as const
  }

  /** Finishes what a process left undone, and what a user left unconfirmed; again later while the payment is pending. */
  async function finish({ paymentId, startedAt }: PaymentTask): Promise<JobOutcome> {
    const age = Date.parse(now()) - Date.parse(startedAt)
    const poll: JobOutcome = { kind: 'again', afterMs: POLL_MS }
    const state = await stateOf(paymentId)
    if (state.status === 'none') {
      if (age < NEVER_STARTED_MS) return poll
      await storage.tasks.finish(paymentId, null)
      return DONE
    }
    if (!isPending(state)) {
      await settled(paymentId, state)
      return DONE
    }
    const card = await storage.cards.find(state.card_id)
    // Whether money moved is known to Stripe alone, and its keys for that are not here now.
    if (card?.provider === 'stripe' && gateway.provider !== 'stripe') return { kind: 'again', afterMs: OTHER_KEYS_MS }
    const { state: present } = await asked(paymentId, async () =>
      card?.provider === gateway.provider ? finished(paymentId, state, card, age) : null,
    )
    return isPending(present) ? poll : DONE
  }

  /** The state at the provider once nothing is left to wait for; null when the provider has no such payment. */
  async function finished(paymentId: string, state: PaymentState, card: StoredCard, age: number): Promise<GatewayPayment | null> {
    const providerId = await opened(paymentId, state, card)
    const present = await gateway.read(providerId)
    if (present?.status === 'unconfirmed')
      return isOffSession(state.origin) ? confirmed(paymentId, providerId, state, card) : gateway.cancel(providerId)
    return present?.status === 'requires_action' && age > CONFIRM_WITHIN_MS ? gateway.cancel(providerId) : present
  }

  /** Records what a webhook is about. The payment is read from the provider, so the order of webhooks does not matter. */
  async function handleWebhook(providerPaymentId: string): Promise<JobOutcome> {
    const report = await gateway.read(providerPaymentId)
    // Payments that another system makes with the same account of the provider are none of ours.
    if (report !== null && report.paymentId !== null && (await stateOf(report.paymentId)).status !== 'none')
      await recorded(report.paymentId, report)
    return DONE
  }

  /** Records a payment that took money and that the log does not have, as a refill unless it is of an invoice. */
  async function adopt({ providerId, ...payment }: AdoptedPayment): Promise<Charged> {
    const { paymentId, spaceId: space_id, whitelabelId: whitelabel_id, amount, currency, cardId: card_id } = payment
    const report = await gateway.read(providerId)
    if (report?.paymentId !== paymentId || report.status !== 'succeeded') return { kind: 'rejected', rejection: reject(131) }
    const { invoiceId: invoice_id } = payment
    const origin = invoice_id === null ? 'refill' : 'invoice'
    const data = { space_id, whitelabel_id, amount, currency, card_id, origin, invoice_id } as const
    await addTask(paymentId, data)
    await executed(paymentId, { type: 'Start', payment: data })
    return recorded(paymentId, report)
  }

  return { charge, refresh, finish, handleWebhook, stateOf, adopt }
}
export type Payments = ReturnType<typeof createPayments>

function ledgerCommand(paymentId: string, state: PaymentState, { type, id, amount }: PaymentMovement): AccountCommand {
  switch (type) {
    case 'received': {
      const { invoice_id: invoiceId } = state
      return { type: 'ReceivePayment', paymentId, amount, method: 'card', invoiceId, assigned: invoiceId === null ? 0 : amount }
    }
    case 'refunded':
      return { type: 'RefundPayment', paymentId, refundId: id, amount }
    case 'refund_failed':
      return { type: 'ReverseRefund', paymentId, refundId: id, amount }
    case 'disputed':
      return { type: 'DisputePayment', paymentId, disputeId: id, amount }
    case 'won':
      return { type: 'WinDispute', paymentId, disputeId: id, amount }
  }
}
