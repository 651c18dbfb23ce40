import { idParams } from './campaign-answers.ts'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import { CAMPAIGN_METRICS, GRANULARITY, METRICS, REPORT_DEVICES } from '#domain/reports/figures'
import { labelIds, spaceIds, statusFilter } from './campaign-list.ts'
import { among, endpoint, named, page } from './http.ts'
import { z } from './zod.ts'

/** Figures of campaigns. Delivery is their only source (decisions G-243). */

/** When the figures were read, and the end of the last hour that only late batches can still change. */
export const freshness = { as_of: z.string(), complete_through: z.string() }

/** All-time figures under keys that say period (decisions G-072). */
export const campaignTotal = endpoint({
  id: 'campaign.total',
  reads: ['campaign-list'],
  method: 'GET',
  path: '/v1/campaign/:id/total',
  access: 'campaign.read',
  summary: 'All-time performance of a campaign',
  params: idParams,
  output: z.object({
    current_period_clicks: z.number(),
    current_period_impressions: z.number(),
    current_period_spent: z.number(),
    /** ISO 4217, of the account that pays. */
    currency: z.string(),
    ...freshness,
  }),
})

const dateInput = z.union([z.string(), z.number()])
/** A figure; other spellings of it, such as `win rate`, are read too. */
const metric = among(z.string(), METRICS)
export const reportInput = named(
  'ReportInput',
  z.object({
    from_date: dateInput,
    to_date: dateInput,
    id: z.string(),
    /** 2 desktop, 3 mobile, 5 android, 8 desktop others, 9 mobile others; null means all. */
    device_type_key: z.nullish(among(z.number(), REPORT_DEVICES)),
    /** Banner size key; null and 1 mean all. */
    visual_size_key: z.nullish(among(z.number(), [1, ...BANNER_SIZES.map(({ key }) => key)])),
    /** 1 hours, 2 days. */
    granularity_type_key: z.nullish(among(z.number(), Object.values(GRANULARITY))),
    publisher: z.nullish(z.string().check(z.maxLength(300))),
    tz_offset_seconds: z.nullish(z.number()),
    /** Days of the report: UTC without it, or those of the account, which its white-label sets and its invoices follow. */
    days_of: z.nullish(z.enum(['utc', 'account'])),
    included_metrics: z.nullish(z.array(metric).check(z.maxLength(50))),
  }),
)
export type ReportInput = z.infer<typeof reportInput>

export const figures = z.record(z.string(), z.number())

/** Each point is named by its start, in epoch milliseconds. */
export const points = z.array(z.object({ name: z.number(), values: figures }))

export const campaignReport = endpoint({
  id: 'report.campaign',
  heavy: true,
  reads: ['campaign-list'],
  method: 'POST',
  path: '/v1/campaign/report',
  access: 'campaign.read',
  summary: 'Figures of a campaign by hour or by day, and their totals; the name of a point is its start in epoch milliseconds',
  body: 'json',
  input: reportInput,
  output: z.object({ points, totals: figures, ...freshness }),
})

const dayRow = named(
  'ReportDay',
  z.object({
    /** YYYY-MM-DD, UTC. */
    date: z.string(),
    impressions: z.number(),
    cpm: z.number(),
    clicks: z.number(),
    cpc: z.number(),
    ctr: z.number(),
    conversions: z.number(),
    cpa: z.number(),
    cvr: z.number(),
    spent: z.number(),
    today_spent: z.number(),
    /** Conversions that are not confirmed, and in no other figure (fine print 111). */
    unconfirmed_conversions: z.number(),
  }),
)
export type DayRow = z.infer<typeof dayRow>

export const campaignReportList = endpoint({
  id: 'report.list',
  heavy: true,
  reads: ['campaign-list'],
  method: 'GET',
  path: '/v1/campaign/report/list/:id',
  access: 'campaign.read',
  summary: 'One row per day since the campaign first ran, newest first',
  params: idParams,
  output: z.array(dayRow),
})

export const adminReport = endpoint({
  id: 'report.admin',
  heavy: true,
  reads: ['campaign-list'],
  method: 'POST',
  path: '/v1/campaign/admin/report/:id',
  access: 'campaign.admin-list',
  summary: 'One row per day since the campaign first ran, newest first; pages are one-based, 14 rows each',
  params: idParams,
  body: 'json',
  input: z.object({
    page: z.nullish(z.int()),
    pageSize: z.nullish(z.int()),
    page_size: z.nullish(z.int()),
  }),
  output: z.extend(page(dayRow), freshness),
})

export const accountReport = endpoint({
  id: 'report.accountCsv',
  reads: ['campaign-list', 'accounts'],
  method: 'POST',
  path: '/v1/campaign/report/download/account-report',
  access: 'campaign.read',
  summary: 'Campaigns of a space with their figures, as CSV; 111 for a space without campaigns',
  body: 'json',
  input: z.object({
    space_id: z.nullish(z.string()),
    /** Accounts, of those that the file covers; none means all of them. */
    space_ids: z.nullish(spaceIds),
    /** Campaigns with any of these labels; none means every campaign. */
    label_ids: z.nullish(labelIds),
    /** Adds the column of labels, before the figures. */
    include_labels: z.nullish(z.boolean()),
    from_date: z.nullish(dateInput),
    to_date: z.nullish(dateInput),
    name: z.nullish(z.string().check(z.maxLength(300))),
    status_filter: statusFilter,
    /** Columns of figures, in this order; without them those of decisions G-089. */
    included_metrics: z.nullish(z.array(among(z.string(), CAMPAIGN_METRICS)).check(z.maxLength(50))),
  }),
  output: z.unknown(),
  raw: true,
  download: true,
})

export const campaignReportCsv = endpoint({
  id: 'report.campaignCsv',
  reads: ['campaign-list'],
  method: 'POST',
  path: '/v1/campaign/report/download/campaign-report',
  access: 'campaign.read',
  summary: 'The campaign report, as CSV',
  body: 'json',
  input: reportInput,
  output: z.unknown(),
  raw: true,
  download: true,
})

export const trafficSourceCsv = endpoint({
  id: 'report.trafficSourceCsv',
  reads: ['campaign-list'],
  method: 'POST',
  path: '/v1/campaign/report/download/traffic-source',
  access: 'campaign.read',
  summary: 'Figures of a campaign by exchange, publisher and app or site, as CSV',
  body: 'json',
  input: reportInput,
  output: z.unknown(),
  raw: true,
  download: true,
})

export const overDelivery = endpoint({
  id: 'campaign.overDelivery',
  reads: ['campaign-list'],
  method: 'GET',
  path: '/v1/campaign/:id/over-delivery',
  access: 'campaign.read',
  summary: 'What a campaign delivered beyond its budget, of all time: never charged, and in no amount of spend',
  params: idParams,
  output: z.object({
    /** Estimated by the share of money in each hour. */
    impressions: z.number(),
    amount: z.number(),
    /** ISO 4217, of the account that pays. */
    currency: z.string(),
    ...freshness,
  }),
})

export const CAMPAIGN_REPORT_ENDPOINTS = [
  overDelivery,
  campaignTotal,
  campaignReport,
  campaignReportList,
  adminReport,
  accountReport,
  campaignReportCsv,
  trafficSourceCsv,
]
