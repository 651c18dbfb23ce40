import { dayIn, startOfDay, type Zone } from '../kit/time-zone.ts'

/** Days, periods and due dates of invoices, in the days of the white-label. */

const DAY_MS = 86_400_000
/** The due day of an account counts from a week after the invoice on, days. */
const LEAST_DAYS = 7
/** Without a due day of the account, days. */
const USUAL_DAYS = 30
/** Day of the month on which invoices are made when the account has none. */
const USUAL_DAY = 1
/** Longest period of one invoice, days. */
export const LONGEST_PERIOD = 366

export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** The last instant of the day on which an invoice of now is due. */
export function dueAt(now: string, dueDay: number | null, zone: Zone): string {
  let day = dayAfter(dayIn(now, zone), dueDay === null ? USUAL_DAYS : LEAST_DAYS)
  while (dueDay !== null && Number(day.slice(8)) !== dueDay) day = dayAfter(day)
  return endOfDay(day, zone)
}

export const endOfDay = (day: string, zone: Zone): string =>
  new Date(Date.parse(startOfDay(dayAfter(day), zone)) - 1).toISOString()

/** The year of a document's number. */
export const yearIn = (instant: string, zone: Zone): number => Number(dayIn(instant, zone).slice(0, 4))

/** The month whose invoice is due to be made: the one before, from the due day on; before that day, the month before it. */
export function monthToInvoice(now: string, dueDay: number | null, zone: Zone) {
  const today = dayIn(now, zone)
  const [year = 0, month = 0] = today.split('-').map(Number)
  const back = Number(today.slice(8)) >= (dueDay ?? USUAL_DAY) ? 1 : 2
  const first = new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 10)
  const last = new Date(Date.UTC(year, month - back, 0)).toISOString().slice(0, 10)
  return { key: first.slice(0, 7), charge_from_date: first, charge_to_date: last }
}

/**
 * The period of a month's invoice: from the end of the account's last period, or from the start of the month without one; at most
 * 366 days. Null when the last period covers all of it.
 */
export function periodOfMonth(
  { charge_from_date, charge_to_date }: { readonly charge_from_date: string; readonly charge_to_date: string },
  lastEnd: string | null,
  zone: Zone,
) {
  const to = startOfDay(dayAfter(charge_to_date), zone)
  const earliest = startOfDay(dayAfter(charge_to_date, 1 - LONGEST_PERIOD), zone)
  const wanted = lastEnd ?? startOfDay(charge_from_date, zone)
  const from = wanted < earliest ? earliest : wanted
  return from >= to ? null : { charge_from_date: dayIn(from, zone), charge_to_date, from, to }
}
