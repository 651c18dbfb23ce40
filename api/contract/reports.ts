import { idParams } from './campaign-answers.ts'
import { endpoint, named, page } from './http.ts'
import { z } from './zod.ts'

/** Figures of campaigns. Delivery is their only source; without delivery they are zero (decisions G-243). */

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
  }),
})

const dateInput = z.union([z.string(), z.number()])
export const reportInput = named(
  'ReportInput',
  z.object({
    from_date: dateInput,
    to_date: dateInput,
    id: z.string(),
    /** 2 desktop, 3 mobile, 5 android, 8 desktop others, 9 mobile others; null means all. */
    device_type_key: z.nullish(z.number()),
    /** Banner size key; null and 1 mean all. */
    visual_size_key: z.nullish(z.number()),
    /** 1 hours, 2 days. */
    granularity_type_key: z.nullish(z.number()),
    publisher: z.nullish(z.string().check(z.maxLength(300))),
    tz_offset_seconds: z.nullish(z.number()),
    included_metrics: z.nullish(z.array(z.string()).check(z.maxLength(50))),
  }),
)
export type ReportInput = z.infer<typeof reportInput>

const figures = z.record(z.string(), z.number())

export const campaignReport = endpoint({
  id: 'report.campaign',
  reads: ['campaign-list'],
  method: 'POST',
  path: '/v1/campaign/report',
  access: 'campaign.read',
  summary:
    'Figures of a campaign by hour or by day (UTC), and their totals; the name of a point is its start in epoch milliseconds',
  body: 'json',
  input: reportInput,
  output: z.object({ points: z.array(z.object({ name: z.number(), values: figures })), totals: figures }),
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
  }),
)
export type DayRow = z.infer<typeof dayRow>

export const campaignReportList = endpoint({
  id: 'report.list',
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
  output: page(dayRow),
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
    from_date: z.nullish(dateInput),
    to_date: z.nullish(dateInput),
    name: z.nullish(z.string().check(z.maxLength(300))),
    status_filter: z.nullish(
      z.union([z.number(), z.string(), z.array(z.union([z.number(), z.string()])).check(z.maxLength(50))]),
    ),
  }),
  output: z.unknown(),
  raw: true,
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
})

export const REPORT_ENDPOINTS = [
  campaignTotal,
  campaignReport,
  campaignReportList,
  adminReport,
  accountReport,
  campaignReportCsv,
  trafficSourceCsv,
]
