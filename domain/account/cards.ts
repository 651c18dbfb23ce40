import { type Decision, happened, rejected } from '#domain/kit/decision'
import type { Fault } from '#domain/kit/errors'
import { fault } from '../kit/faults.ts'
import { FIRST, type EventSchemas } from '../kit/event-schema.ts'
import type { Micros } from '../kit/money.ts'
import { amountFaults } from '../payment/amounts.ts'
import type { FailureCode } from '../payment/failures.ts'

/** Cards of an account, and its automatic refill. Events name a card by its id: what is printed on it is in `app.cards`. */

/** Most cards of an account. */
export const CARDS_LIMIT = 20

export type AutoRefill = {
  readonly enabled: boolean
  /** A refill is due when less than this is available. */
  readonly threshold: Micros
  readonly amount: Micros
  /** Most that automatic refills take in a calendar month of the white-label. */
  readonly monthly_limit: Micros
}

// ── Events ──

export type CardEvent =
  | { readonly type: 'CardAdded'; readonly data: { readonly card_id: string } }
  | { readonly type: 'CardRemoved'; readonly data: { readonly card_id: string } }
  /** Null without cards. */
  | { readonly type: 'DefaultCardChanged'; readonly data: { readonly card_id: string | null } }
  | { readonly type: 'AutoRefillChanged'; readonly data: AutoRefill }
  /** An automatic refill failed: none follows until a user switches it on again. */
  | { readonly type: 'AutoRefillStopped'; readonly data: { readonly payment_id: string; readonly failure_code: FailureCode } }

export const CARD_EVENTS: EventSchemas<CardEvent> = {
  CardAdded: FIRST,
  CardRemoved: FIRST,
  DefaultCardChanged: FIRST,
  AutoRefillChanged: FIRST,
  AutoRefillStopped: FIRST,
}

export const isCardEvent = (event: { readonly type: string }): event is CardEvent => event.type in CARD_EVENTS

// ── State ──

export type CardsState = {
  readonly opened: boolean
  readonly currency: string
  /** Ids, the newest last; absent until the first card. */
  readonly cards?: readonly string[]
  readonly default_card?: string | null
  /** Absent until the first change. */
  readonly auto_refill?: AutoRefill
}

export const cardsOf = ({ cards = [] }: CardsState): readonly string[] => cards
export const defaultCardOf = ({ default_card = null }: CardsState): string | null => default_card

export function evolveCards<State extends CardsState>(state: State, event: CardEvent): State {
  switch (event.type) {
    case 'CardAdded':
      return { ...state, cards: [...cardsOf(state), event.data.card_id] }
    case 'CardRemoved':
      return { ...state, cards: cardsOf(state).filter((id) => id !== event.data.card_id) }
    case 'DefaultCardChanged':
      return { ...state, default_card: event.data.card_id }
    case 'AutoRefillChanged':
      return { ...state, auto_refill: event.data }
    case 'AutoRefillStopped':
      return state.auto_refill === undefined ? state : { ...state, auto_refill: { ...state.auto_refill, enabled: false } }
  }
}

// ── Commands ──

export type CardCommand =
  | { readonly type: 'AddCard'; readonly cardId: string }
  | {
      readonly type: 'RemoveCard'
      readonly cardId: string
      /** Cards of the account, the most recently used first: one of them becomes the default. */
      readonly byUse: readonly string[]
      /** Whether a payment with the card has no result so far. */
      readonly isPaying: boolean
    }
  | { readonly type: 'ChangeDefaultCard'; readonly cardId: string }
  | { readonly type: 'ChangeAutoRefill'; readonly autoRefill: AutoRefill }
  | { readonly type: 'StopAutoRefill'; readonly paymentId: string; readonly failureCode: FailureCode }

const CARD_COMMANDS: ReadonlySet<string> = new Set<CardCommand['type']>([
  'AddCard',
  'RemoveCard',
  'ChangeDefaultCard',
  'ChangeAutoRefill',
  'StopAutoRefill',
])
export const isCardCommand = (command: { readonly type: string }): command is CardCommand => CARD_COMMANDS.has(command.type)

const PAYING = 'A payment with this card is not finished. Remove the card afterwards'

/**
 * The first card is the default, and after the removal of the default it is the one that was used last. Refuses an unknown card (131), a
 * removal while a payment with the card is pending (134), one card too many (2), and the faults of an automatic refill. It needs a
 * card while it is on.
 */
export function decideCards(command: CardCommand, state: CardsState): Decision<CardEvent> {
  if (!state.opened) return rejected(110)
  const cards = cardsOf(state)
  switch (command.type) {
    case 'AddCard': {
      const { cardId: card_id } = command
      if (cards.includes(card_id)) return happened()
      if (cards.length >= CARDS_LIMIT) return rejected(2, [fault('setup_id', 2, 'tooMany', { max: CARDS_LIMIT })])
      const added: CardEvent = { type: 'CardAdded', data: { card_id } }
      return defaultCardOf(state) === null ? happened(added, { type: 'DefaultCardChanged', data: { card_id } }) : happened(added)
    }
    case 'RemoveCard': {
      const { cardId: card_id, byUse, isPaying } = command
      if (!cards.includes(card_id)) return rejected(131)
      if (isPaying) return rejected(134, [{ path: 'id', code: 134, message: PAYING }], PAYING)
      const removed: CardEvent = { type: 'CardRemoved', data: { card_id } }
      if (defaultCardOf(state) !== card_id) return happened(removed)
      const others = cards.filter((id) => id !== card_id)
      const next = byUse.find((id) => others.includes(id)) ?? others.at(-1) ?? null
      return happened(removed, { type: 'DefaultCardChanged', data: { card_id: next } })
    }
    case 'ChangeDefaultCard': {
      const { cardId: card_id } = command
      if (!cards.includes(card_id)) return rejected(131)
      return defaultCardOf(state) === card_id ? happened() : happened({ type: 'DefaultCardChanged', data: { card_id } })
    }
    case 'ChangeAutoRefill': {
      const { autoRefill } = command
      const faults = autoRefillFaults(autoRefill, state)
      if (faults.length > 0) return rejected(2, faults)
      const { auto_refill: before } = state
      const same = before !== undefined && AUTO_REFILL_FIELDS.every((field) => before[field] === autoRefill[field])
      return same ? happened() : happened({ type: 'AutoRefillChanged', data: autoRefill })
    }
    case 'StopAutoRefill':
      return state.auto_refill?.enabled === true
        ? happened({
            type: 'AutoRefillStopped',
            data: { payment_id: command.paymentId, failure_code: command.failureCode },
          })
        : happened()
  }
}

const AUTO_REFILL_FIELDS = ['enabled', 'threshold', 'amount', 'monthly_limit'] as const

/** Everything that is wrong with an automatic refill. */
export function autoRefillFaults(
  { enabled, threshold, amount, monthly_limit: limit }: AutoRefill,
  state: CardsState,
): readonly Fault[] {
  const { currency } = state
  return [
    ...(enabled && defaultCardOf(state) === null ? [fault('enabled', 2, 'needCard')] : []),
    ...(Number.isSafeInteger(threshold) && threshold >= 0 ? [] : [fault('threshold', 2, 'positiveNumber')]),
    ...amountFaults(amount, currency),
    ...(Number.isSafeInteger(limit) && limit >= amount ? [] : [fault('monthly_limit', 2, 'belowAmount')]),
  ]
}
