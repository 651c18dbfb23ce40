/** Campaign dates: instants on the wire, days in the campaign's own zone (fine print 11). Offsets are seconds east of UTC. */

const DATE_ONLY = /^(\d{4})-(\d{2})-(\d{2})$/
const DAY_MS = 86_400_000

/** Parses a start or an end from a caller; undefined for an invalid date (code 11). */
export function readInstant(value: string | number, edge: 'start' | 'end', offsetSeconds: number): string | undefined {
  if (typeof value === 'number') return inRange(value)
  const text = value.trim()
  const day = DATE_ONLY.exec(text)
  if (day) {
    const midnight = Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3]))
    if (new Date(midnight).toISOString().slice(0, 10) !== text) return undefined
    return inRange(midnight - offsetSeconds * 1000 + (edge === 'end' ? DAY_MS - 1 : 0))
  }
  if (/^\d{10,}$/.test(text)) return inRange(Number(text))
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return undefined
  const instant = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(instant) || !validDay(text) ? undefined : inRange(instant)
}

// The engine rolls 30 February over to 1 March; for a caller that is an error.
const validDay = (text: string): boolean => {
  const day = text.slice(0, 10)
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === day
}

const EARLIEST = Date.UTC(2000, 0, 1)
const LATEST = Date.UTC(2200, 0, 1)
const inRange = (time: number): string | undefined =>
  Number.isFinite(time) && time >= EARLIEST && time < LATEST ? new Date(time).toISOString() : undefined

/** The calendar day (YYYY-MM-DD) of an instant in the campaign's zone. */
export const localDay = (instant: string, offsetSeconds: number): string =>
  new Date(Date.parse(instant) + offsetSeconds * 1000).toISOString().slice(0, 10)

/** The instant at which the local day of `instant` began. */
export const startOfLocalDay = (instant: string, offsetSeconds: number): string =>
  new Date(Date.parse(`${localDay(instant, offsetSeconds)}T00:00:00Z`) - offsetSeconds * 1000).toISOString()

/** The first instant of the next local day: when a day budget reopens. */
export const nextLocalDay = (instant: string, offsetSeconds: number): string =>
  new Date(Date.parse(startOfLocalDay(instant, offsetSeconds)) + DAY_MS).toISOString()

/** An instant strictly later than both. */
export function laterThan(now: string, previous: string | null): string {
  if (previous === null || now > previous) return now
  return new Date(Date.parse(previous) + 1).toISOString()
}
