import { localDay, startOfLocalDay } from '../campaign/content/dates.ts'

/** Days and due dates of invoices, in the days of the white-label. Offsets are seconds east of UTC. */

const DAY_MS = 86_400_000
/** The due day of an account counts from a week after the invoice on, days. */
const LEAST_DAYS = 7
/** Without a due day of the account, days. */
const USUAL_DAYS = 30
/** Day of the month on which invoices are made when the account has none. */
const USUAL_DAY = 1

/** The first instant of a day YYYY-MM-DD. */
export const startOfDay = (day: string, offsetSeconds: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - offsetSeconds * 1000).toISOString()

export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** The last instant of the day on which an invoice of now is due. */
export function dueAt(now: string, dueDay: number | null, offsetSeconds: number): string {
  const today = localDay(now, offsetSeconds)
  let day = dayAfter(today, dueDay === null ? USUAL_DAYS : LEAST_DAYS)
  while (dueDay !== null && Number(day.slice(8)) !== dueDay) day = dayAfter(day)
  return endOfDay(day, offsetSeconds)
}

export const endOfDay = (day: string, offsetSeconds: number): string =>
  new Date(Date.parse(startOfDay(dayAfter(day), offsetSeconds)) - 1).toISOString()

/** The month whose invoice is due to be made: the one before, from the due day on; before that day, the month before it. */
export function monthToInvoice(now: string, dueDay: number | null, offsetSeconds: number) {
  const today = localDay(startOfLocalDay(now, offsetSeconds), offsetSeconds)
  const [year = 0, month = 0] = today.split('-').map(Number)
  const back = Number(today.slice(8)) >= (dueDay ?? USUAL_DAY) ? 1 : 2
  const first = new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 10)
  const last = new Date(Date.UTC(year, month - back, 0)).toISOString().slice(0, 10)
  return { key: first.slice(0, 7), charge_from_date: first, charge_to_date: last }
}
