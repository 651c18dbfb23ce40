import { BANNER_SIZES } from '../../../domain/campaign/content/options.ts'
import { CAMPAIGN_METRICS, GRANULARITY, METRICS, REPORT_DEVICES, type Metric } from '../../../domain/figures/figures.ts'
import type { Fault } from '../../../domain/kit/errors.ts'
import type { FactFilter } from '../../../factstore/fact-store.ts'
import type { ReportInput } from '../../contract/reports.ts'
import { periodOf } from '../../kit/period.ts'
import { refused } from '../../kit/refused.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Most points: a year of hours, or the same number of days. */
const MOST_POINTS = 8_784

export type ReportRequest = {
  readonly metrics: readonly Metric[]
  readonly step: 'hour' | 'day'
  /** Start of the first point, and the number of points. */
  readonly first: number
  readonly length: number
  readonly filter: Omit<FactFilter, 'scope' | 'from' | 'to'> & { readonly from: string; readonly to: string }
}

/** The requested metrics in their order, or the fallback without any; null when one is unknown. */
export function readMetrics(asked: readonly string[] | null | undefined, fallback: readonly Metric[]): readonly Metric[] | null {
  if (asked === null || asked === undefined) return fallback
  const metrics = [...new Set(asked)].flatMap((name) => METRICS.find((metric) => metric === name) ?? [])
  return metrics.length < new Set(asked).size ? null : metrics
}

/**
 * A checked request. 150 for an unknown granularity, 2 for other values that are not allowed, 11 and 1303 for the period. Whole points
 * are reported: the period is widened to the hours or UTC days that it touches.
 */
export function readReport(input: Omit<ReportInput, 'id'>, fallback: readonly Metric[] = CAMPAIGN_METRICS): ReportRequest {
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
  const { from, to } = periodOf(input)
  if (from === null || to === null) throw refused(2, [{ path: 'from_date', code: 2, message: 'Field is required.' }])
  const step = granularity === GRANULARITY.hours ? 'hour' : 'day'
  const ms = step === 'hour' ? HOUR_MS : DAY_MS
  const first = Math.floor(Date.parse(from) / ms) * ms
  const length = Math.floor((Date.parse(to) - first) / ms) + 1
  if (length > MOST_POINTS)
    throw refused(2, [
      { path: 'from_date', code: 2, message: `A report has at most ${MOST_POINTS} points: ask for a shorter period` },
    ])
  return {
    metrics,
    step,
    first,
    length,
    filter: {
      from: new Date(first).toISOString(),
      to: new Date(first + length * ms).toISOString(),
      deviceTypeKey: device,
      size: banner === undefined ? null : `${banner.width}x${banner.height}`,
      publisher: input.publisher?.trim() || null,
    },
  }
}

export const pointsOf = <T>({ first, length, step }: ReportRequest, valueAt: (start: number) => T) =>
  Array.from({ length }, (_, i) => {
    const name = first + i * (step === 'hour' ? HOUR_MS : DAY_MS)
    return { name, values: valueAt(name) }
  })
