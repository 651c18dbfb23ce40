import { addDays, endOfMonth, startOfMonth, subMonths } from 'date-fns'
import { fromDay, presetRange, toDay, type DateRange } from '@/lib/date-range'
import { daysIn } from './report-parts.ts'

/** Longer periods have no figures before them to compare with. Days. */
const LONGEST_COMPARED = 366

export const canBeCompared = (range: DateRange): boolean => daysIn(range) <= LONGEST_COMPARED

/** The period before: of this month the same days of the past month, of a whole month the month before, else as many days. */
export function previousRange(range: DateRange, today: Date): DateRange {
  const start = fromDay(range.start)
  const end = fromDay(range.end)
  const thisMonth = presetRange('thisMonth', today)
  if (range.start === thisMonth.start && (range.end === thisMonth.end || range.end === toDay(today)))
    return { start: toDay(startOfMonth(subMonths(start, 1))), end: toDay(subMonths(today, 1)) }
  if (range.start === toDay(startOfMonth(start)) && range.end === toDay(endOfMonth(start))) {
    const before = subMonths(start, 1)
    return { start: toDay(startOfMonth(before)), end: toDay(endOfMonth(before)) }
  }
  const days = daysIn({ start: toDay(start), end: toDay(end) })
  return { start: toDay(addDays(start, -days)), end: toDay(addDays(start, -1)) }
}

export type Change =
  | { readonly kind: 'same' }
  /** From nothing: it has no percentage. */
  | { readonly kind: 'new' }
  | { readonly kind: 'more' | 'less'; readonly percent: number }

/** How a figure differs from that of the previous period. `percent` is positive and rounded to one decimal. */
export function changeOf(now: number, before: number): Change {
  if (now === before) return { kind: 'same' }
  if (before === 0) return { kind: 'new' }
  const percent = Math.round((Math.abs(now - before) / Math.abs(before)) * 1000) / 10
  return percent === 0 ? { kind: 'same' } : { kind: now > before ? 'more' : 'less', percent }
}
