import { addDays, differenceInCalendarDays, endOfMonth, formatISO, isValid, parseISO, startOfMonth, subMonths } from 'date-fns'

/** Calendar days of the user, both ends included, as YYYY-MM-DD (campaigns.md §9). */
export type DateRange = { readonly start: string; readonly end: string }

export const PRESETS = ['today', 'last7', 'last30', 'last365', 'thisMonth', 'pastMonth'] as const
export type Preset = (typeof PRESETS)[number]

export const toDay = (date: Date) => formatISO(date, { representation: 'date' })
export const fromDay = (day: string) => parseISO(day)
export const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isValid(fromDay(text))

const lastDays = (today: Date, days: number): DateRange => ({ start: toDay(addDays(today, 1 - days)), end: toDay(today) })

const monthOf = (date: Date): DateRange => ({ start: toDay(startOfMonth(date)), end: toDay(endOfMonth(date)) })

const RANGES: Record<Preset, (today: Date) => DateRange> = {
  today: (today) => lastDays(today, 1),
  last7: (today) => lastDays(today, 7),
  last30: (today) => lastDays(today, 30),
  last365: (today) => lastDays(today, 365),
  thisMonth: monthOf,
  pastMonth: (today) => monthOf(subMonths(today, 1)),
}

export const presetRange = (preset: Preset, today: Date): DateRange => RANGES[preset](today)

/** Returns the preset that equals this range today; null for a custom range. */
export const presetOf = (range: DateRange, today: Date): Preset | null =>
  PRESETS.find((preset) => {
    const known = presetRange(preset, today)
    return known.start === range.start && known.end === range.end
  }) ?? null

/** From 365 days on, days without a year are ambiguous (campaigns.md §2). */
export const needsYear = ({ start, end }: DateRange) => differenceInCalendarDays(fromDay(end), fromDay(start)) + 1 >= 365

type RangeSearch = { readonly start?: string | undefined; readonly end?: string | undefined }

/** Returns the range in a URL; the last seven days when it is missing, incomplete, or ends before it starts. */
export function rangeOf({ start, end }: RangeSearch, today: Date): DateRange {
  return start !== undefined && end !== undefined && start <= end ? { start, end } : presetRange('last7', today)
}

/** Returns the URL parameters of the range; none for the default. */
export function rangeSearch(range: DateRange, today: Date): { start: string | undefined; end: string | undefined } {
  return isDefaultRange(range, today) ? { start: undefined, end: undefined } : { ...range }
}

export function isDefaultRange({ start, end }: DateRange, today: Date): boolean {
  const usual = presetRange('last7', today)
  return start === usual.start && end === usual.end
}
