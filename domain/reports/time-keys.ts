import { offsetAt, type Zone } from '../kit/time-zone.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

/** Parts of a local time, which is given as if it were UTC, by grouping. */
const TIME_KEYS: Readonly<Partial<Record<string, (local: Date, text: string) => string>>> = {
  year: (_, text) => text.slice(0, 4),
  quarter: (local, text) => `${text.slice(0, 4)}-Q${Math.floor(local.getUTCMonth() / 3) + 1}`,
  month: (_, text) => text.slice(0, 7),
  week: isoWeek,
  day: (_, text) => text.slice(0, 10),
  day_of_week: (local) => String(local.getUTCDay() || 7),
  hour: (_, text) => text.slice(11, 13),
  date_hour: (_, text) => `${text.slice(0, 10)} ${text.slice(11, 13)}:00`,
}

/** The part of the local time, such as its week, that an hour or a day belongs to. `start` is in milliseconds. */
export function timeKey(grouping: string, start: number, zone: Zone): string {
  const local = new Date(start + offsetAt(zone, start) * 1000)
  const text = local.toISOString()
  return TIME_KEYS[grouping]?.(local, text) ?? text
}

/** The week of ISO 8601 that a day belongs to: that of its Thursday. */
function isoWeek(day: Date): string {
  const thursday = new Date(day.getTime() + (4 - (day.getUTCDay() || 7)) * DAY_MS)
  const year = thursday.getUTCFullYear()
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK_MS) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}
