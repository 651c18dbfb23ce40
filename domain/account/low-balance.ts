import type { Micros } from '../kit/money.ts'

/**
 * Low balances that an account is notified of (decisions G-207), the most urgent first: by what the account spends. `below_1000` is in old
 * events: no amount is low for every account.
 */
export const BALANCE_NOTICES = ['empty', 'runway_1', 'runway_3', 'below_1000'] as const
export type BalanceNotice = (typeof BALANCE_NOTICES)[number]

/** A notice about days ends only this far above its threshold: the mean moves with each batch, and must not raise it again and again. */
const MARGIN = 1.1

export type Funds = {
  /** Balance and credit limit, less every charge. */
  readonly available: Micros
  /** Mean spend of a day. */
  readonly daily: Micros
}

/** The notices that are shown: all but those of old events. */
export type ShownNotice = Exclude<BalanceNotice, 'below_1000'>
export const shownNotices = (notices: readonly BalanceNotice[]): readonly ShownNotice[] =>
  notices.filter((notice) => notice !== 'below_1000')

/** The notices that hold for these funds, of an account that has these notices now. */
export function noticesOf({ available, daily }: Funds, now: readonly BalanceNotice[]): readonly BalanceNotice[] {
  const lastsLess = (days: number, notice: BalanceNotice) =>
    daily > 0 && available < daily * days * (now.includes(notice) ? MARGIN : 1)
  const holds: Readonly<Record<BalanceNotice, boolean>> = {
    empty: available <= 0,
    runway_1: lastsLess(1, 'runway_1'),
    runway_3: lastsLess(3, 'runway_3'),
    below_1000: false,
  }
  return BALANCE_NOTICES.filter((notice) => holds[notice])
}
