import type { Measure } from '../delivery/batch.ts'

/** Counts of any period: delivery is their only source (decisions G-243). `spent` is the billed amount, in units of the account's currency. */
export type Counts = { readonly [measure in Measure]: number } & { readonly spent: number }

export const NOTHING_COUNTED: Counts = {
  impressions: 0,
  clicks: 0,
  conversions: 0,
  conversions_unique_bid: 0,
  unique_conversions: 0,
  bids: 0,
  reach: 0,
  bounces: 0,
  engagements: 0,
  completed_views: 0,
  spent: 0,
}

const ratio = (part: number, whole: number, factor: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * factor * 100) / 100

/** Ratios come from sums, have two decimals, and are 0 when the divisor is 0 (decisions G-083 and G-226). */
export const figuresOf = (counts: Counts) => ({
  ...counts,
  ctr: ratio(counts.clicks, counts.impressions, 100),
  cpm: ratio(counts.spent, counts.impressions, 1000),
  cpc: ratio(counts.spent, counts.clicks, 1),
  cvr: ratio(counts.conversions, counts.clicks, 100),
  cpa: ratio(counts.spent, counts.conversions, 1),
  cpcv: ratio(counts.spent, counts.completed_views, 1),
  win_rate: ratio(counts.impressions, counts.bids, 100),
  bounce_rate: ratio(counts.bounces, counts.clicks, 100),
  engagement_rate: ratio(counts.engagements, counts.impressions, 100),
})
export type Figures = ReturnType<typeof figuresOf>
export type Metric = keyof Figures

/** Figures that a report can contain. */
export const METRICS = Object.keys(figuresOf(NOTHING_COUNTED)) as readonly Metric[]

/** The figures of a campaign's own report, and of lists (campaign.md §3). */
export const CAMPAIGN_METRICS = [
  'impressions',
  'clicks',
  'conversions',
  'conversions_unique_bid',
  'spent',
  'ctr',
  'cpm',
  'cpc',
  'cvr',
  'cpa',
] as const satisfies readonly Metric[]

/** Device kinds of reports; placements have kinds of their own (decisions G-113). */
export const REPORT_DEVICES = [2, 3, 5, 8, 9] as const
export const GRANULARITY = { hours: 1, days: 2 } as const
