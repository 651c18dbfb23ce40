import type { REPORT_DEVICES } from '#domain/reports/figures'

/** Names in the address of a report. Every page loads them with the routes. */

/** Every metric, in the order of cards and columns. */
export const METRIC_NAMES = [
  'impressions',
  'cpm',
  'clicks',
  'cpc',
  'ctr',
  'conversions',
  'cpa',
  'cvr',
  'spent',
  'reach',
  'bids',
  'win_rate',
  'unique_conversions',
  'conversions_unique_bid',
  'unconfirmed_conversions',
  'bounces',
  'bounce_rate',
  'engagements',
  'engagement_rate',
  'completed_views',
  'cpcv',
] as const
export type Metric = (typeof METRIC_NAMES)[number]

/** Metrics that are shown unless others are chosen. */
export const DEFAULT_METRICS: readonly Metric[] = METRIC_NAMES.slice(0, METRIC_NAMES.indexOf('spent') + 1)

/** Lines of the chart at once: one for each axis. */
export const MOST_LINES = 2

/** Device kinds of reports (campaigns.md §3). */
export type Device = (typeof REPORT_DEVICES)[number]

/** Rows of a page of the table; the first is the usual number. */
export const TABLE_ROWS = [25, 50, 100] as const

/** Hours of longer periods are too many to read. Days. */
export const LONGEST_BY_HOUR = 31
