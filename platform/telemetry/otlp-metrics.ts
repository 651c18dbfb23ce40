import { otlpAttributes } from './post-otlp.ts'

/** A metric of the client library of Prometheus, with what it has counted. */
export type Metric = {
  readonly name: string
  readonly help: string
  /** `counter`, `gauge` or `histogram`. */
  readonly type: unknown
  readonly values: readonly {
    readonly value: number
    readonly labels: Readonly<Partial<Record<string, string | number>>>
    /** Name in a histogram: the metric's name with `_bucket`, `_sum` or `_count`. */
    readonly metricName?: string
  }[]
}

/** Sums grow from the start of the process on. */
const CUMULATIVE = 2

type Times = { readonly startTimeUnixNano: string; readonly timeUnixNano: string }
type Labels = Metric['values'][number]['labels']

/** Metrics as a request of OTLP, in its JSON encoding. Names and labels stay; a gauge without a value is left out. */
export function metricsRequest(
  metrics: readonly Metric[],
  resource: Readonly<Record<string, string>>,
  { start, now }: { readonly start: number; readonly now: number },
) {
  const times = { startTimeUnixNano: `${Math.floor(start)}000000`, timeUnixNano: `${Math.floor(now)}000000` }
  const converted = metrics.flatMap((metric) => {
    const data = dataOf(metric, times)
    return data === null ? [] : [{ name: metric.name, description: metric.help, ...data }]
  })
  const scopeMetrics = [{ scope: { name: 'placard' }, metrics: converted }]
  return { resourceMetrics: [{ resource: { attributes: otlpAttributes(resource) }, scopeMetrics }] }
}

function dataOf({ name, type, values }: Metric, times: Times) {
  const dataPoints = values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ value, labels }) => ({ ...times, attributes: attributesOf(labels), asDouble: value }))
  if (type === 'counter') return { sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }
  if (type === 'gauge') return { gauge: { dataPoints } }
  if (type !== 'histogram') return null
  return { histogram: { aggregationTemporality: CUMULATIVE, dataPoints: histogramPoints(name, values, times) } }
}

function histogramPoints(name: string, values: Metric['values'], times: Times) {
  const series = new Map<string, { labels: Labels; buckets: { le: number; count: number }[]; sum: number; count: number }>()
  for (const { value, labels, metricName } of values) {
    const { le, ...own } = labels
    const key = JSON.stringify(Object.entries(own).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    const point = series.get(key) ?? { labels: own, buckets: [], sum: 0, count: 0 }
    series.set(key, point)
    if (metricName === `${name}_sum`) point.sum = value
    else if (metricName === `${name}_count`) point.count = value
    else if (le !== '+Inf') point.buckets.push({ le: Number(le), count: value })
  }
  return [...series.values()].map(({ labels, buckets, sum, count }) => {
    const sorted = buckets.toSorted((a, b) => a.le - b.le)
    // Prometheus counts what is at most as large, OTLP what is in the bucket alone; the last one has no bound.
    const upTo = [...sorted.map((bucket) => bucket.count), count]
    return {
      ...times,
      attributes: attributesOf(labels),
      count: String(count),
      sum,
      explicitBounds: sorted.map(({ le }) => le),
      bucketCounts: upTo.map((all, i) => String(all - (upTo[i - 1] ?? 0))),
    }
  })
}

const attributesOf = (labels: Labels) =>
  otlpAttributes(
    Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, value === undefined ? null : String(value)])),
  )
