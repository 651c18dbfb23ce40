import { eventDecoder, FIRST, type EventSchemas } from '../kit/event-schema.ts'
import { fault } from '../campaign/saving/faults.ts'
import { reject, type Rejection } from '../kit/errors.ts'
import type { Micros } from '../kit/money.ts'

/** An advertiser's account, called a space on the wire; every white-label has one house space for its staff. */

export const accountStream = (spaceId: string): string => `account-${spaceId}`

// ── Events ──

export type AccountEvent =
  | {
      readonly type: 'AccountOpened'
      readonly data: {
        readonly space_id: string
        readonly whitelabel_id: string
        readonly name: string
        readonly currency: string
        readonly house: boolean
      }
    }
  | { readonly type: 'FundsCredited'; readonly data: { readonly amount: Micros; readonly reason: string } }

export const ACCOUNT_EVENTS: EventSchemas<AccountEvent> = { AccountOpened: FIRST, FundsCredited: FIRST }

/** An account's event from its stored bytes. */
export const decodeAccountEvent = eventDecoder<AccountEvent>(ACCOUNT_EVENTS)

// ── State ──

export type AccountState = {
  readonly opened: boolean
  readonly space_id: string
  readonly whitelabel_id: string
  readonly name: string
  readonly currency: string
  readonly house: boolean
  readonly balance: Micros
}

export const initialAccount: AccountState = {
  opened: false,
  space_id: '',
  whitelabel_id: '',
  name: '',
  currency: 'USD',
  house: false,
  balance: 0,
}

export function evolveAccount(state: AccountState, event: AccountEvent): AccountState {
  switch (event.type) {
    case 'AccountOpened':
      return { ...state, ...event.data, opened: true }
    case 'FundsCredited':
      return { ...state, balance: state.balance + event.data.amount }
    default:
      return unreachable(event, state)
  }
}

// ── Commands ──

export type AccountCommand =
  | {
      readonly type: 'OpenAccount'
      readonly spaceId: string
      readonly whitelabelId: string
      readonly name: string
      readonly currency: string
      readonly house: boolean
    }
  | { readonly type: 'CreditFunds'; readonly amount: Micros; readonly reason: string }

export type AccountDecision =
  | { readonly kind: 'events'; readonly events: readonly AccountEvent[] }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

const happened = (...events: readonly AccountEvent[]): AccountDecision => ({ kind: 'events', events })

/** Opening twice changes nothing. Refuses to credit an account that was never opened (110), or a non-positive amount (2). */
export function decideAccount(command: AccountCommand, state: AccountState): AccountDecision {
  switch (command.type) {
    case 'OpenAccount': {
      if (state.opened) return happened()
      const { spaceId: space_id, whitelabelId: whitelabel_id, name, currency, house } = command
      return happened({ type: 'AccountOpened', data: { space_id, whitelabel_id, name, currency, house } })
    }
    case 'CreditFunds':
      if (!state.opened) return { kind: 'rejected', rejection: reject(110) }
      if (!(command.amount > 0)) return { kind: 'rejected', rejection: reject(2, [fault('amount', 2, 'positiveNumber')]) }
      return happened({ type: 'FundsCredited', data: { amount: command.amount, reason: command.reason } })
    default:
      return unreachable(command, happened())
  }
}

const unreachable = <T>(_: never, otherwise: T): T => otherwise
