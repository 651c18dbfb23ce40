import { getTimezone } from 'countries-and-timezones'

const LONG_OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2}))?$/

function offsetAt(zone: string, date: Date): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(date)
  const [, sign, hours, minutes] = LONG_OFFSET.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? []
  const seconds = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60
  return sign === '-' ? -seconds : seconds
}

/**
 * Standard time of a zone, seconds east of UTC.
 * The table comes first because the smaller offset of a year is not the standard one everywhere: Morocco steps back for Ramadan.
 */
export function zoneOffset(zone: string): number {
  const known = getTimezone(zone)
  if (known) return known.utcOffset * 60
  return Math.min(offsetAt(zone, new Date('2025-01-15T12:00:00Z')), offsetAt(zone, new Date('2025-07-15T12:00:00Z')))
}
