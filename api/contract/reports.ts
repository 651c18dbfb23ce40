import { idParams } from './campaign-answers.ts'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import { GROUPINGS, TABLE_GROUPINGS } from '#domain/reports/groupings'
import { CAMPAIGN_METRICS, GRANULARITY, METRICS, REPORT_DEVICES } from '#domain/reports/figures'
import { REPORT_RANGES, SCHEDULES } from '#domain/reports/schedule'
import { labelIds, spaceIds, statusFilter } from './campaign-list.ts'
import { among, endpoint, named, page, position } from './http.ts'
import { z } from './zod.ts'
import { shownName } from './shown-name.ts'

/** Figures of campaigns and accounts. Delivery is their only source (decisions G-243). */

/** When the figures were read, and the end of the last hour that only late batches can still change. */
const freshness = { as_of: z.string(), complete_through: z.string() }

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

const figures = z.record(z.string(), z.number())

/** Each point is named by its start, in epoch milliseconds. */
const points = z.array(z.object({ name: z.number(), values: figures }))

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

/** A report of a campaign (`id`), of an account (`space_id`), or of everything in reach. */
const accountReportInput = named(
  'AccountReportInput',
  z.extend(z.omit(reportInput, { id: true }), {
    id: z.nullish(z.string()),
    space_id: z.nullish(z.string()),
    page: z.nullish(z.int().check(z.gte(0), z.lte(1_000_000))),
    page_size: z.nullish(z.int().check(z.gte(1), z.lte(150))),
  }),
)
export type AccountReportInput = z.infer<typeof accountReportInput>

const groupedReport = named(
  'GroupedReport',
  z.object({
    points,
    totals: figures,
    rows: z.array(z.object({ key: z.string(), label: z.string(), values: figures })),
    /** Number of rows on all pages. */
    total_size: z.number(),
    /** ISO 4217; null when accounts of several currencies are in reach, and then no figure of money is given. */
    currency: z.nullable(z.string()),
    ...freshness,
  }),
)
export type GroupedReport = z.infer<typeof groupedReport>

const accountReportOf = (name: string, summary: string) =>
  endpoint({
    id: `reports.${name}`,
    heavy: true,
    reads: ['campaign-list', 'accounts'],
    method: 'POST',
    path: `/v1/reports/${name}`,
    access: 'campaign.read',
    summary,
    body: 'json',
    input: accountReportInput,
    output: groupedReport,
  })

export const reportsTotal = accountReportOf('total', 'Totals of a period')
export const reportsDashboard = accountReportOf('dashboard', 'Figures of a period by hour or by day, with totals')
export const reportsPlatforms = accountReportOf('platforms', 'Figures of a period by device kind')
export const reportsPublishers = accountReportOf('publishers', 'Figures of a period by publisher')
export const reportsBanners = accountReportOf('banners', 'Figures of a period by banner size, always by day')
export const reportsDimension = endpoint({
  ...accountReportOf('dimension', 'Figures of a period by a grouping; 150 for an unknown one'),
  input: z.extend(accountReportInput, { dimension: among(z.string().check(z.maxLength(50)), GROUPINGS) }),
})

const tableInput = z.extend(z.omit(accountReportInput, { granularity_type_key: true, device_type_key: true }), {
  /** 150 for an unknown one. */
  grouping: among(z.string().check(z.maxLength(50)), TABLE_GROUPINGS),
  /** Device kinds, summed; none means all. */
  device_type_keys: z.nullish(z.array(among(z.number(), REPORT_DEVICES)).check(z.maxLength(10))),
  /** A metric, or `name`. Without it hours and days are newest first, and other rows the most spent first. */
  order_field: z.nullish(among(z.string().check(z.maxLength(50)), ['name', ...METRICS])),
  order_asc: z.nullish(z.boolean()),
  /** A part of a row's name or key. */
  search: z.nullish(z.string().check(z.maxLength(300))),
  /** Language of the names: 1 English, 2 Russian; without it that of the user. */
  language_key: z.nullish(z.literal([1, 2])),
})
/** Content of a table of a report. */
export const reportTableInput = named('ReportTableInput', tableInput)
export type ReportTableInput = z.infer<typeof reportTableInput>

const tableRow = named(
  'ReportTableRow',
  z.object({
    key: z.string(),
    /** The name of the campaign, creative, app, account, country … in the language of the user. */
    label: z.string(),
    /** The id behind a name, where users know it: of an app. */
    detail: z.nullable(z.string()),
    /** The picture of a creative. */
    url: z.nullable(z.string()),
    values: figures,
  }),
)

export const reportTable = endpoint({
  id: 'reports.table',
  heavy: true,
  reads: ['campaign-list', 'accounts'],
  method: 'POST',
  path: '/v1/reports/table',
  access: 'campaign.read',
  summary: 'Figures of a period by a grouping: sorted, searched and paged; pages are zero-based, 25 rows each',
  body: 'json',
  input: reportTableInput,
  output: named(
    'ReportTable',
    z.object({
      rows: z.array(tableRow),
      /** Figures of all rows that match the search. */
      totals: figures,
      current_page: z.number(),
      page_size: z.number(),
      /** Number of rows on all pages. */
      total_size: z.number(),
      /** Rows with the least spend, which are neither sorted nor searched: a table holds at most 10,000 rows. */
      left_out: z.number(),
      /** ISO 4217; null when accounts of several currencies are in reach, and then no figure of money is given. */
      currency: z.nullable(z.string()),
      /** Time zone that the period and the rows follow: an IANA name, or an offset such as UTC+04:00. */
      time_zone: z.string(),
      ...freshness,
    }),
  ),
})
export type ReportTable = z.infer<typeof reportTable.output>
export type ReportTableRow = ReportTable['rows'][number]

export const reportTableFile = endpoint({
  id: 'reports.tableFile',
  reads: ['campaign-list', 'accounts'],
  method: 'POST',
  path: '/v1/reports/table/download',
  access: 'campaign.read',
  summary: 'The table of a report with all its rows, in the same order and language, as CSV or as an Excel workbook',
  body: 'json',
  input: z.extend(tableInput, { format: z.enum(['csv', 'xlsx']) }),
  output: z.unknown(),
  raw: true,
  download: true,
})

const savedInput = z.extend(
  z.omit(tableInput, { from_date: true, to_date: true, page: true, page_size: true, language_key: true }),
  {
    /** Moves with the day; without it the dates are fixed. */
    range: z.nullish(z.enum(REPORT_RANGES)),
    start_date: z.nullish(z.string().check(z.maxLength(10))),
    end_date: z.nullish(z.string().check(z.maxLength(10))),
  },
)
export type SavedReportInput = z.infer<typeof savedInput>

const savedBody = named(
  'SavedReportBody',
  z.object({
    name: shownName(),
    report: savedInput,
    /** When it is mailed, at eight in the morning of the account's days. */
    schedule: z.enum(SCHEDULES),
    /** Day of a weekly schedule, 1 (Monday) to 7, or of a monthly one, 1 to 28. */
    schedule_day: z.nullish(z.int()),
    /** Format of the attachment. */
    format: z.enum(['csv', 'xlsx']),
  }),
)
export type SavedReportBody = z.infer<typeof savedBody>

const savedReport = named(
  'SavedReport',
  z.object({
    id: z.string(),
    name: z.string(),
    report: savedInput,
    schedule: z.enum(SCHEDULES),
    schedule_day: z.nullable(z.number()),
    format: z.enum(['csv', 'xlsx']),
    /** When its next mail is due. */
    next_at: z.nullable(z.string()),
    created_at: z.string(),
    /** User who saved it and gets its mails; null for the caller. */
    owner: z.nullable(z.string()),
  }),
)
export type SavedReport = z.infer<typeof savedReport>

const ofSaved = { reads: ['campaign-list', 'accounts'], access: 'campaign.read' } as const
const savedId = z.object({ id: z.string(), position })

export const savedReports = endpoint({
  ...ofSaved,
  id: 'reports.saved',
  method: 'GET',
  path: '/v1/reports/saved',
  summary:
    'Reports that the user saved in the account that the session acts in; those of all its people for who may manage its team',
  output: z.array(savedReport),
})

export const addSavedReport = endpoint({
  ...ofSaved,
  id: 'reports.save',
  method: 'POST',
  path: '/v1/reports/saved',
  summary: 'Save a report, to open it again and to get it by mail; an account has at most 100',
  body: 'json',
  input: savedBody,
  output: savedId,
  write: true,
})

export const changeSavedReport = endpoint({
  ...ofSaved,
  id: 'reports.changeSaved',
  method: 'PUT',
  path: '/v1/reports/saved/:id',
  summary: 'Change a saved report; 131 for an unknown one',
  params: idParams,
  body: 'json',
  input: savedBody,
  output: savedId,
  write: true,
})

export const removeSavedReport = endpoint({
  ...ofSaved,
  id: 'reports.removeSaved',
  method: 'DELETE',
  path: '/v1/reports/saved/:id',
  summary: 'Remove a saved report, own or of an account whose team the user may manage; 131 for an unknown one',
  params: idParams,
  output: savedId,
  write: true,
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

/** Changes of campaigns beside their figures: when users changed what. */
export const reportsChanges = endpoint({
  id: 'reports.changes',
  heavy: true,
  reads: ['campaign-list', 'campaign-revisions', 'accounts'],
  method: 'POST',
  path: '/v1/reports/changes',
  access: 'log.read',
  summary:
    'Hours or UTC days in which users changed campaigns, oldest first; an account report covers the 1,000 campaigns that changed last',
  body: 'json',
  input: z.pick(accountReportInput, {
    from_date: true,
    to_date: true,
    id: true,
    space_id: true,
    granularity_type_key: true,
    days_of: true,
  }),
  output: named(
    'ReportChanges',
    z.object({
      points: z.array(
        z.object({
          /** Start of the hour or day, epoch milliseconds. */
          name: z.number(),
          /** Changes of all campaigns. */
          count: z.number(),
          /** Number of campaigns that changed. */
          total_size: z.number(),
          /** At most ten of them, the most changed first. */
          campaigns: z.array(z.object({ id: z.string(), name: z.string(), count: z.number() })),
        }),
      ),
    }),
  ),
})
export type ReportChanges = z.infer<typeof reportsChanges.output>

export const REPORT_ENDPOINTS = [
  reportsChanges,
  reportsTotal,
  reportsDashboard,
  reportsPlatforms,
  reportsPublishers,
  reportsBanners,
  reportsDimension,
  reportTable,
  reportTableFile,
  savedReports,
  addSavedReport,
  changeSavedReport,
  removeSavedReport,
  overDelivery,
  campaignTotal,
  campaignReport,
  campaignReportList,
  adminReport,
  accountReport,
  campaignReportCsv,
  trafficSourceCsv,
]
