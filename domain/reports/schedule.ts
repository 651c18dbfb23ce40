import { dayIn, nextDay, offsetAt, type Zone } from '../kit/time-zone.ts'

/** When a saved report is mailed: each day, on a day of the week (1 is Monday), or on a day of the month (1 to 28). */
export const SCHEDULES = ['none', 'daily', 'weekly', 'monthly'] as const
export type ScheduleKind = (typeof SCHEDULES)[number]
export type Schedule = { readonly kind: ScheduleKind; readonly day: number | null }

/** Days of the week and of the month that a schedule can name. */
const DAYS: Readonly<Record<ScheduleKind, number>> = { none: 0, daily: 0, weekly: 7, monthly: 28 }

/** Local time of the mails, hours. */
const AT_HOUR = 8
/** A month and a day: every schedule is due within it. */
const WITHIN_DAYS = 32

/** True where the day is one that the kind needs. */
export const isSchedule = ({ kind, day }: Schedule): boolean =>
  DAYS[kind] === 0 ? day === null : day !== null && Number.isInteger(day) && day >= 1 && day <= DAYS[kind]

/** The first time after an instant at which a report is due, at eight in the morning of the zone; null without a schedule. */
export function nextDue({ kind, day }: Schedule, after: string, zone: Zone): string | null {
  if (kind === 'none') return null
  let date = dayIn(after, zone)
  for (let i = 0; i <= WITHIN_DAYS; i++, date = nextDay(date)) {
    const midnight = Date.parse(`${date}T00:00:00Z`)
    const dayOfWeek = new Date(midnight).getUTCDay() || 7
    const isDay = kind === 'daily' || (kind === 'weekly' ? dayOfWeek === day : Number(date.slice(8)) === day)
    if (!isDay) continue
    const local = midnight + AT_HOUR * 3_600_000
    const due = new Date(local - offsetAt(zone, local - offsetAt(zone, local) * 1000) * 1000).toISOString()
    if (due > after) return due
  }
  return null
}

/** Ranges of a saved report that move with the day, as the application names them. */
export const REPORT_RANGES = ['today', 'last7', 'last30', 'last365', 'thisMonth', 'pastMonth'] as const
export type ReportRange = (typeof REPORT_RANGES)[number]

/** First and last day of a range on a day, YYYY-MM-DD. */
export function daysOfRange(range: ReportRange, today: string): { readonly start: string; readonly end: string } {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const text = (time: number) => new Date(time).toISOString().slice(0, 10)
  const back = (days: number) => ({ start: text(Date.parse(`${today}T00:00:00Z`) - (days - 1) * 86_400_000), end: today })
  switch (range) {
    case 'today':
      return back(1)
    case 'last7':
      return back(7)
    case 'last30':
      return back(30)
    case 'last365':
      return back(365)
    case 'thisMonth':
      return { start: text(Date.UTC(year, month - 1, 1)), end: text(Date.UTC(year, month, 0)) }
    case 'pastMonth':
      return { start: text(Date.UTC(year, month - 2, 1)), end: text(Date.UTC(year, month - 1, 0)) }
  }
}
