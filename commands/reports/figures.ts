import { figuresOf, NOTHING_COUNTED, type Figures, type Metric } from '#domain/reports/figures'
import { fromMicros } from '#domain/kit/money'
import type { FactScope, FactSums } from '#factstore/fact-store'

const HOUR_MS = 3_600_000

/** Figures of sums, money in units: ratios come from sums, never from other ratios. */
export const figuresOfSums = ({ overdelivered: _, spent, ...counts }: FactSums): Figures =>
  figuresOf({ ...counts, spent: fromMicros(spent) })

export const only = (metrics: readonly Metric[], figures: Figures): Record<string, number> =>
  Object.fromEntries(metrics.map((metric) => [metric, figures[metric]]))

/** Sums of no facts. */
export const NO_SUMS: FactSums = { ...NOTHING_COUNTED, spent: 0, overdelivered: 0 }

export const addSums = (a: FactSums, b: FactSums): FactSums =>
  Object.fromEntries(
    Object.keys(a).map((sum) => [sum, a[sum as keyof FactSums] + b[sum as keyof FactSums]]),
  ) as unknown as FactSums

/** The facts that a reach covers. */
export const scopeOf = ({
  whitelabelId,
  spaceId,
}: {
  readonly whitelabelId: string | null
  readonly spaceId: string | null
}): FactScope =>
  spaceId !== null
    ? { kind: 'spaces', ids: [spaceId] }
    : whitelabelId !== null
      ? { kind: 'whitelabel', id: whitelabelId }
      : { kind: 'all' }

/** When figures were read, and the end of the last hour that only late batches can still change. ISO 8601. */
export const freshness = (now: string) => ({
  as_of: now,
  complete_through: new Date(Math.floor(Date.parse(now) / HOUR_MS) * HOUR_MS).toISOString(),
})
