/**
 * Days of a white-label: by an IANA time zone, whose offset changes with summer time, or by a fixed offset in seconds east of UTC
 * (fine print 65).
 */
export type Zone = string | number

const DAY_MS = 86_400_000
/** Names that the database of time zones uses; offsets such as +05:00 are no zones. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/
const LONGEST_NAME = 64

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, format)
  return format
}

/** True for the name of an IANA time zone, such as `Europe/Berlin` or `UTC`. */
export function isTimeZone(name: string): boolean {
  if (name.length > LONGEST_NAME || !NAME.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const QUARTER_MS = 900_000
/** Since then clocks are changed at a quarter of an hour, everywhere. */
const WHOLE_QUARTERS_FROM = Date.UTC(1980, 0, 1)
/** Offsets that are kept: a report of a year by hours asks for 8,760, several times. */
const REMEMBERED = 50_000
const offsets = new Map<string, number>()

/** Seconds east of UTC at this instant. */
export function offsetAt(zone: Zone, instant: string | number): number {
  if (typeof zone === 'number') return zone
  const time = typeof instant === 'number' ? instant : Date.parse(instant)
  if (!(time >= WHOLE_QUARTERS_FROM)) return computedOffset(zone, time)
  const quarter = Math.floor(time / QUARTER_MS)
  if (offsets.size >= REMEMBERED) offsets.clear()
  const key = `${zone} ${quarter}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const offset = computedOffset(zone, quarter * QUARTER_MS)
  offsets.set(key, offset)
  return offset
}

function computedOffset(zone: string, time: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return Math.round((local - Math.floor(time / 1000) * 1000) / 1000)
}

/** The calendar day of an instant, YYYY-MM-DD. */
export function dayIn(instant: string | number, zone: Zone): string {
  const time = typeof instant === 'number' ? instant : Date.parse(instant)
  return new Date(time + offsetAt(zone, time) * 1000).toISOString().slice(0, 10)
}

/** The first instant of a day YYYY-MM-DD: later than midnight where the clock is put forward at midnight. */
export function startOfDay(day: string, zone: Zone): string {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const times = [offsetAt(zone, midnight - DAY_MS), offsetAt(zone, midnight + DAY_MS)]
    .map((offset) => midnight - offset * 1000)
    .sort((a, b) => a - b)
  const first = times.find((time) => dayIn(time, zone) === day && dayIn(time - 1, zone) < day)
  return new Date(first ?? times[0] ?? midnight).toISOString()
}

/** True where days are UTC days. */
export const isUtc = (zone: Zone): boolean => zone === 0 || zone === 'UTC' || zone === 'Etc/UTC'

/** The name of a zone: of IANA, or an offset such as UTC+04:00. */
export function zoneName(zone: Zone): string {
  if (isUtc(zone)) return 'UTC'
  if (typeof zone === 'string') return zone
  const minutes = Math.round(Math.abs(zone) / 60)
  const two = (n: number) => String(n).padStart(2, '0')
  return `UTC${zone < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** The day after a day YYYY-MM-DD. */
export const nextDay = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
