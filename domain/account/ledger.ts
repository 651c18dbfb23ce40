import { type Decision, happened, rejected } from '#domain/kit/decision'
import { eventDecoder, FIRST, type EventSchemas } from '../kit/event-schema.ts'
import { plus, type Sum } from '../kit/money.ts'
import { MOVEMENT_EVENTS, type SpendSettled } from './movements.ts'

/**
 * The books of an account's spend, one stream a month: an account settles every minute, and no command may read more than a month
 * of it. Each month opens with what the months before add up to, and closes with what it added.
 */

export const LEDGER_STREAMS = 'ledger-'

/** `month` is `yyyymm`, UTC. */
export const ledgerStream = (spaceId: string, month: string): string => `${LEDGER_STREAMS}${spaceId}-${month}`

/** The account of a month's stream. */
export const spaceOfLedger = (stream: string): string => stream.slice(LEDGER_STREAMS.length, stream.lastIndexOf('-'))

/** The month of an instant, `yyyymm`, UTC. */
export const ledgerMonth = (instant: string): string => instant.slice(0, 4) + instant.slice(5, 7)

// ── Events ──

/** Sums of the months before. */
export type Opening = {
  /** Number of the newest settlement before the month; 0 for none. */
  readonly settlements: number
  /** All spend settled before the month. */
  readonly settled: Sum
  /** The balance that the month starts from: the movements of the account up to `account_version`, less `settled`. */
  readonly balance: Sum
  /** Version of the account's stream. */
  readonly account_version: number
  /** The month whose stream has the newest settlement; null where none has: `settled` is then in the account's own stream. */
  readonly previous: string | null
}

export type LedgerEvent =
  | {
      readonly type: 'LedgerOpened'
      readonly data: Opening & { readonly space_id: string; readonly month: string }
    }
  | SpendSettled
  | {
      readonly type: 'LedgerClosed'
      readonly data: {
        /** Settlements of the month. */
        readonly count: number
        /** Spend of the month. */
        readonly spent: Sum
        /** Number of the newest settlement, and all spend settled up to it. */
        readonly settlements: number
        readonly settled: Sum
      }
    }

export const LEDGER_EVENTS: EventSchemas<LedgerEvent> = {
  LedgerOpened: FIRST,
  SpendSettled: MOVEMENT_EVENTS.SpendSettled,
  LedgerClosed: FIRST,
}

/** A ledger's event from its stored bytes. */
export const decodeLedgerEvent = eventDecoder<LedgerEvent>(LEDGER_EVENTS)

// ── State ──

export type LedgerState = {
  readonly opened: boolean
  readonly closed: boolean
  /** Settlements of the month, and their spend. */
  readonly count: number
  readonly spent: Sum
  /** Number of the newest settlement, and all spend settled up to it, in this month and before. */
  readonly settlements: number
  readonly settled: Sum
}

export const initial: LedgerState = { opened: false, closed: false, count: 0, spent: 0, settlements: 0, settled: 0 }

export function evolve(state: LedgerState, event: LedgerEvent): LedgerState {
  switch (event.type) {
    case 'LedgerOpened': {
      const { settlements, settled } = event.data
      return { ...initial, opened: true, settlements, settled }
    }
    case 'SpendSettled': {
      const { settlement, amount } = event.data
      return {
        ...state,
        count: state.count + 1,
        spent: plus(state.spent, amount),
        settlements: settlement,
        settled: plus(state.settled, amount),
      }
    }
    case 'LedgerClosed':
      return { ...state, closed: true }
  }
}

// ── Commands ──

export type LedgerCommand =
  | {
      readonly type: 'SettleSpend'
      readonly spaceId: string
      readonly month: string
      /** For a month that has yet to be opened. */
      readonly opening: Opening | null
      readonly settled: SpendSettled['data']
    }
  | { readonly type: 'CloseLedger' }

/**
 * A settlement is recorded once, and opens its month where none did. Refuses an account without books (110) and a settlement
 * of a closed month (3). Its sums have no bound (fine print 69). Closing twice changes nothing, and a month that was never opened stays so.
 */
export function decide(command: LedgerCommand, state: LedgerState): Decision<LedgerEvent> {
  if (command.type === 'CloseLedger') {
    const { closed, count, opened, settled, settlements, spent } = state
    return closed || !opened ? happened() : happened({ type: 'LedgerClosed', data: { count, spent, settlements, settled } })
  }
  const { month, opening, settled: data, spaceId } = command
  const before = state.opened ? state : opening
  if (before === null) return rejected(110)
  if (data.settlement <= before.settlements) return happened()
  if (state.closed) return rejected(3)
  const settled: LedgerEvent = { type: 'SpendSettled', data }
  if (state.opened || opening === null) return happened(settled)
  return happened({ type: 'LedgerOpened', data: { space_id: spaceId, month, ...opening } }, settled)
}
