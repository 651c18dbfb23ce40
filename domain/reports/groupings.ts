/** Groupings of `dimension`, by their names on the wire (campaigns.md §9). */
export const GROUPINGS = [
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
export type GroupingName = (typeof GROUPINGS)[number]

/** Groupings of a table: those of `dimension`, campaigns, device kinds and publishers, and each hour of the period. */
export const TABLE_GROUPINGS = ['campaign', 'platforms', 'publishers', ...GROUPINGS, 'date_hour'] as const
export type TableGrouping = (typeof TABLE_GROUPINGS)[number]
