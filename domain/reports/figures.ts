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
  unconfirmed_conversions: 0,
  spent: 0,
}

type RatioOf = { readonly part: keyof Counts; readonly whole: keyof Counts; readonly factor: number }

/** Metrics that follow from two counts (decisions G-083 and G-226). */
export const RATIOS = {
  ctr: { part: 'clicks', whole: 'impressions', factor: 100 },
  cpm: { part: 'spent', whole: 'impressions', factor: 1000 },
  cpc: { part: 'spent', whole: 'clicks', factor: 1 },
  cvr: { part: 'conversions', whole: 'clicks', factor: 100 },
  cpa: { part: 'spent', whole: 'conversions', factor: 1 },
  cpcv: { part: 'spent', whole: 'completed_views', factor: 1 },
  win_rate: { part: 'impressions', whole: 'bids', factor: 100 },
  bounce_rate: { part: 'bounces', whole: 'clicks', factor: 100 },
  engagement_rate: { part: 'engagements', whole: 'impressions', factor: 100 },
} as const satisfies Readonly<Record<string, RatioOf>>
export type Ratio = keyof typeof RATIOS

/** A ratio of sums: two decimals, and 0 when the divisor is 0. */
export function ratioOf(name: Ratio, counts: Counts): number {
  const { part, whole, factor } = RATIOS[name]
  return counts[whole] === 0 ? 0 : Math.round((counts[part] / counts[whole]) * factor * 100) / 100
}

/** Ratios come from sums, never from other ratios. */
export const figuresOf = (counts: Counts) => ({
  ...counts,
  ctr: ratioOf('ctr', counts),
  cpm: ratioOf('cpm', counts),
  cpc: ratioOf('cpc', counts),
  cvr: ratioOf('cvr', counts),
  cpa: ratioOf('cpa', counts),
  cpcv: ratioOf('cpcv', counts),
  win_rate: ratioOf('win_rate', counts),
  bounce_rate: ratioOf('bounce_rate', counts),
  engagement_rate: ratioOf('engagement_rate', counts),
})
export type Figures = ReturnType<typeof figuresOf>
export type Metric = keyof Figures

/** Figures that a report can contain. */
export const METRICS = Object.keys(figuresOf(NOTHING_COUNTED)) as readonly Metric[]

const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '')
const BY_NAME: ReadonlyMap<string, Metric> = new Map([
  ['spend', 'spent'],
  ...METRICS.map((metric) => [plain(metric), metric] as const),
])

/** The metric of a name as pages write it (`CPCv`, `win rate`, `spend`) or as answers do (`spent`); undefined for an unknown one. */
export const metricNamed = (name: string): Metric | undefined => BY_NAME.get(plain(name))

/** The figures of a campaign's own report, and of lists (campaigns.md §3). */
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
  'unconfirmed_conversions',
] as const satisfies readonly Metric[]

/** Device kinds of reports; placements have kinds of their own (decisions G-113). */
export const REPORT_DEVICES = [2, 3, 5, 8, 9] as const
export const GRANULARITY = { hours: 1, days: 2 } as const
