/** Counts, for any period: delivery is their only source (decisions G-243). Money in units of the account's currency. */
export type Counts = {
  readonly impressions: number
  readonly clicks: number
  readonly conversions: number
  readonly conversions_unique_bid: number
  readonly spent: number
}
export const NOTHING_COUNTED: Counts = { impressions: 0, clicks: 0, conversions: 0, conversions_unique_bid: 0, spent: 0 }

const ratio = (part: number, whole: number, factor: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * factor * 100) / 100

/** Ratios have two decimals, and are 0 when the divisor is 0 (decisions G-083). */
export const figuresOf = (counts: Counts) => ({
  ...counts,
  ctr: ratio(counts.clicks, counts.impressions, 100),
  cpm: ratio(counts.spent, counts.impressions, 1000),
  cpc: ratio(counts.spent, counts.clicks, 1),
  cvr: ratio(counts.conversions, counts.clicks, 100),
  cpa: ratio(counts.spent, counts.conversions, 1),
})
export type Figures = ReturnType<typeof figuresOf>

/** Figures that a report can contain. */
export const METRICS = Object.keys(figuresOf(NOTHING_COUNTED)) as readonly (keyof Figures)[]

/** Device kinds of reports; placements have kinds of their own (decisions G-113). */
export const REPORT_DEVICES = [2, 3, 5, 8, 9] as const
export const GRANULARITY = { hours: 1, days: 2 } as const
