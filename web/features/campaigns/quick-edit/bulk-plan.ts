import { localDay } from '#domain/campaign/content/dates'
import { fromMicros, MOST_MICROS, toMicros, type Micros } from '#domain/kit/money'
import { minorUnit } from '#domain/payment/amounts'
import type { QuickValues } from './save-fields.ts'

/** Effects of bulk edits on one campaign. Pure: money in integer micros, percents in hundredths of a percent. */

export type BulkRow = {
  readonly id: string
  readonly currency: string
  /** Seconds east of UTC. */
  readonly zone: number
  readonly budget: number | null
  readonly campaign_start_at: string | null
  readonly campaign_end_at: string | null
  /** Null until it is loaded. */
  readonly bid: { readonly manual_cpx: boolean; readonly user_cpx: number | null } | null
}

export type MoneyChange =
  | { readonly how: 'set'; readonly micros: Micros }
  | { readonly how: 'add'; readonly micros: Micros }
  | { readonly how: 'scale'; readonly hundredths: number }

export type DateChange =
  | { readonly how: 'set'; readonly day: string }
  | { readonly how: 'remove' }
  | { readonly how: 'move'; readonly days: number }

export type BulkChange =
  | { readonly field: 'budget' | 'bid'; readonly change: MoneyChange }
  | { readonly field: 'start' | 'end'; readonly change: DateChange }
export type BulkField = BulkChange['field']

export type PlanRefusal = 'noBudget' | 'noBid' | 'noDate' | 'tooLow' | 'tooHigh' | 'dateOut'

/** `now` and `next` are amounts in units, or days; null for none. */
export type Plan =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'refused'; readonly now: number | string | null; readonly reason: PlanRefusal }
  | { readonly kind: 'same'; readonly now: number | string | null }
  | {
      readonly kind: 'changed'
      readonly now: number | string | null
      readonly next: number | string | null
      readonly was: QuickValues
      readonly fields: QuickValues
    }

export function planOf(row: BulkRow, { field, change }: BulkChange): Plan {
  switch (field) {
    case 'budget':
      return budgetPlan(row, change)
    case 'bid':
      return bidPlan(row, change)
    case 'start':
    case 'end':
      return datePlan(row, field, change)
  }
}

/** Returns the new amount, or why there is none. `unit`: the smallest step of a scaled amount, micros. */
export function changedAmount(now: Micros | null, change: MoneyChange, unit: Micros): Micros | 'none' | 'tooLow' | 'tooHigh' {
  if (change.how !== 'set' && now === null) return 'none'
  const before = now ?? 0
  const then =
    change.how === 'set' ? change.micros : change.how === 'add' ? before + change.micros : scaled(before, change.hundredths, unit)
  return then <= 0 ? 'tooLow' : then > MOST_MICROS ? 'tooHigh' : onWire(then)
}

/** Numbers of the wire do not have every micro beyond 8.5 billion units; they have every ten-thousandth. */
const onWire = (amount: Micros): Micros =>
  toMicros(fromMicros(amount)) === amount ? amount : Math.round(amount / COARSE) * COARSE
const COARSE: Micros = 100

const WHOLE = 10_000

/** An amount raised by hundredths of a percent, to the nearest `unit`; halves are rounded up. Exact beyond 2^53. */
function scaled(amount: Micros, hundredths: number, unit: Micros): Micros {
  const step = BigInt(WHOLE) * BigInt(unit)
  const product = BigInt(amount) * BigInt(WHOLE + hundredths)
  if (product <= 0n) return 0
  return Number(((2n * product + step) / (2n * step)) * BigInt(unit))
}

function budgetPlan({ budget, currency }: BulkRow, change: MoneyChange): Plan {
  // Amounts finer than the currency's smallest unit keep their precision.
  const micros = budget === null ? null : toMicros(budget)
  const minor = minorUnit(currency)
  const then = changedAmount(micros, change, micros !== null && micros % minor !== 0 ? 1 : minor)
  if (typeof then === 'string') return { kind: 'refused', now: budget, reason: then === 'none' ? 'noBudget' : then }
  if (then === micros) return { kind: 'same', now: budget }
  const amount = fromMicros(then)
  return { kind: 'changed', now: budget, next: amount, was: { budget }, fields: { budget: amount } }
}

function bidPlan({ bid }: BulkRow, change: MoneyChange): Plan {
  if (bid === null) return { kind: 'waiting' }
  const now = bid.manual_cpx ? bid.user_cpx : null
  const micros = now === null ? null : toMicros(now)
  const then = changedAmount(micros, change, 1)
  if (typeof then === 'string') return { kind: 'refused', now, reason: then === 'none' ? 'noBid' : then }
  if (then === micros) return { kind: 'same', now }
  const amount = fromMicros(then)
  return { kind: 'changed', now, next: amount, was: bid, fields: { manual_cpx: true, user_cpx: amount } }
}

const DAY_MS = 86_400_000
const KEYS = { start: 'campaign_start_at', end: 'campaign_end_at' } as const
/** The days that the contract knows: 2000 to 2199. */
const [FIRST_DAY, LAST_DAY] = ['2000-01-01', '2199-12-31'] as const

function datePlan(row: BulkRow, field: 'start' | 'end', change: DateChange): Plan {
  const key = KEYS[field]
  const instant = row[key]
  const now = instant === null ? null : localDay(instant, row.zone)
  if (change.how === 'move' && now === null) return { kind: 'refused', now, reason: 'noDate' }
  const then = change.how === 'set' ? change.day : change.how === 'remove' || now === null ? null : dayAfter(now, change.days)
  if (then !== null && (then < FIRST_DAY || then > LAST_DAY)) return { kind: 'refused', now, reason: 'dateOut' }
  if (then === now) return { kind: 'same', now }
  return { kind: 'changed', now, next: then, was: { [key]: instant }, fields: { [key]: then } }
}

function dayAfter(day: string, days: number): string {
  const moved = new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS)
  return moved.toISOString().slice(0, 10)
}

/** Highest percent of a raise, and longest move of a date in days. */
export const MOST_PERCENT = 10_000
export const MOST_DAYS = 3650
