import { readInstant } from '#domain/campaign/content/dates'
import { dayIn, isUtc, nextDay, startOfDay, type Zone } from '#domain/kit/time-zone'
import { refused } from '#commands/refused'

type Sent = string | number | null | undefined
export type Period = { readonly from: string | null; readonly to: string | null }

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The day that a request names: itself, or that of an instant in the zone. Undefined for an invalid date (code 11). */
export function dayOf(sent: string | number, zone: Zone): string | undefined {
  const instant = readInstant(sent, 'start', 0)
  if (instant === undefined) return undefined
  const day = typeof sent === 'string' ? sent.trim() : ''
  return DAY.test(day) ? day : dayIn(instant, isUtc(zone) ? 0 : zone)
}

/**
 * From and to of a request as instants; days are days of the zone, UTC without one, the last one whole. 11 for an invalid date, 1303
 * for a reversed period.
 */
export function periodOf({ from_date, to_date }: { readonly from_date?: Sent; readonly to_date?: Sent }, zone: Zone = 0): Period {
  const read = (path: string, value: Sent, edge: 'start' | 'end') => {
    if (value === null || value === undefined || value === '') return null
    const instant = readInstant(value, edge, 0)
    if (instant === undefined) throw refused(11, [{ path, code: 11, message: 'Invalid date format' }])
    const day = typeof value === 'string' ? value.trim() : ''
    if (isUtc(zone) || !DAY.test(day)) return instant
    return edge === 'start' ? startOfDay(day, zone) : new Date(Date.parse(startOfDay(nextDay(day), zone)) - 1).toISOString()
  }
  const period = { from: read('from_date', from_date, 'start'), to: read('to_date', to_date, 'end') }
  if (period.from !== null && period.to !== null && period.from > period.to)
    throw refused(1303, [{ path: 'from_date', code: 1303, message: 'Start date must be before end date' }])
  return period
}
