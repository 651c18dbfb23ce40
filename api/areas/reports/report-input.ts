import { BANNER_SIZES } from '#domain/campaign/content/options'
import { CAMPAIGN_METRICS, GRANULARITY, metricNamed, REPORT_DEVICES, type Metric } from '#domain/reports/figures'
import type { Fault } from '#domain/kit/errors'
import { dayIn, isUtc, nextDay, startOfDay, type Zone } from '#domain/kit/time-zone'
import type { FactFilter } from '#factstore/fact-store'
import type { ReportInput } from '#contract/reports'
import { periodOf } from '#api/http/period'
import { refused } from '#commands/refused'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Most points: a year of hours, or the same number of days. */
const MOST_POINTS = 8_784

export type ReportRequest = {
  readonly metrics: readonly Metric[]
  readonly step: 'hour' | 'day'
  /** Time zone whose days are meant. */
  readonly zone: Zone
  /** Start of each point, epoch milliseconds. */
  readonly starts: readonly number[]
  readonly filter: Omit<FactFilter, 'scope' | 'from' | 'to'> & { readonly from: string; readonly to: string }
}

/** The requested metrics in their order, or the fallback without any; null when one is unknown. */
export function readMetrics(asked: readonly string[] | null | undefined, fallback: readonly Metric[]): readonly Metric[] | null {
  if (asked === null || asked === undefined) return fallback
  const metrics = asked.map(metricNamed)
  return metrics.includes(undefined) ? null : [...new Set(metrics.filter((metric) => metric !== undefined))]
}

/**
 * A checked request. 150 for an unknown granularity, 2 for other values that are not allowed, 11 and 1303 for the period. Whole points
 * are reported: the period is widened to the hours or days that it touches. Days are those of the zone.
 */
export function readReport(
  input: Omit<ReportInput, 'id'>,
  fallback: readonly Metric[] = CAMPAIGN_METRICS,
  zone: Zone = 0,
): ReportRequest {
  const { granularity_type_key: granularity, device_type_key: device = null, visual_size_key: size = null } = input
  if (granularity !== null && granularity !== undefined && granularity !== GRANULARITY.hours && granularity !== GRANULARITY.days)
    throw refused(150, [{ path: 'granularity_type_key', code: 150, message: 'Report mode not supported' }])
  const faults: Fault[] = []
  const wrong = (path: string) =>
    faults.push({ path, code: 2, message: 'This value is not one of those allowed', key: 'notAllowed' })
  if (device !== null && !(REPORT_DEVICES as readonly number[]).includes(device)) wrong('device_type_key')
  const banner = BANNER_SIZES.find(({ key }) => key === size)
  if (size !== null && size !== 1 && banner === undefined) wrong('visual_size_key')
  if (input.tz_offset_seconds) wrong('tz_offset_seconds')
  const metrics = readMetrics(input.included_metrics, fallback)
  if (metrics === null) wrong('included_metrics')
  if (faults.length > 0 || metrics === null) throw refused(2, faults)
  const { from, to } = periodOf(input, zone)
  if (from === null || to === null) throw refused(2, [{ path: 'from_date', code: 2, message: 'Field is required.' }])
  const step = granularity === GRANULARITY.hours ? 'hour' : 'day'
  const most = step === 'hour' ? MOST_POINTS * HOUR_MS : MOST_POINTS * DAY_MS
  if (Date.parse(to) - Date.parse(from) > most)
    throw refused(2, [
      { path: 'from_date', code: 2, message: `A report has at most ${MOST_POINTS} points: ask for a shorter period` },
    ])
  const { starts, end } = step === 'hour' ? hoursBetween(from, to) : daysBetween(from, to, zone)
  return {
    metrics,
    step,
    zone,
    starts,
    filter: {
      from: new Date(starts[0] ?? end).toISOString(),
      to: new Date(end).toISOString(),
      deviceTypeKey: device,
      size: banner === undefined ? null : `${banner.width}x${banner.height}`,
      publisher: input.publisher?.trim() || null,
    },
  }
}

type Points = { readonly starts: readonly number[]; readonly end: number }

function hoursBetween(from: string, to: string): Points {
  const first = Math.floor(Date.parse(from) / HOUR_MS) * HOUR_MS
  const length = Math.floor((Date.parse(to) - first) / HOUR_MS) + 1
  return { starts: Array.from({ length }, (_, i) => first + i * HOUR_MS), end: first + length * HOUR_MS }
}

function daysBetween(from: string, to: string, zone: Zone): Points {
  const last = Date.parse(to)
  const starts: number[] = []
  let day = dayIn(from, isUtc(zone) ? 0 : zone)
  for (;;) {
    const start = isUtc(zone) ? Date.parse(`${day}T00:00:00Z`) : Date.parse(startOfDay(day, zone))
    if (start > last) return { starts, end: start }
    starts.push(start)
    day = nextDay(day)
  }
}

export const pointsOf = <T>({ starts }: Pick<ReportRequest, 'starts'>, valueAt: (start: number) => T) =>
  starts.map((name) => ({ name, values: valueAt(name) }))
