/** Names in the address of a report. Without imports: every page loads them with the routes. */

export const REPORT_METRICS = ['impressions', 'cpm', 'clicks', 'cpc', 'ctr', 'conversions', 'cpa', 'cvr', 'spent'] as const
export type Metric = (typeof REPORT_METRICS)[number]

/** Groupings of an account's report: device kinds and publishers, and those of `dimension` (campaign.md §9). */
export const REPORT_GROUPINGS = [
  'platforms',
  'publishers',
  'device_os',
  'app_or_site',
  'size',
  'creative',
  'exchange',
  'advertiser',
  'country',
  'region',
  'city',
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'day_of_week',
  'hour',
] as const
export type ReportGrouping = (typeof REPORT_GROUPINGS)[number]
