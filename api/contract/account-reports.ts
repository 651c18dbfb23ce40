import { GROUPINGS } from '#domain/reports/groupings'
import { among, endpoint, named } from './http.ts'
import { figures, freshness, points, reportInput } from './reports.ts'
import { z } from './zod.ts'

/** A report of a campaign (`id`), of an account (`space_id`), or of everything in reach. */
export const accountReportInput = named(
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

export const ACCOUNT_REPORT_ENDPOINTS = [
  reportsChanges,
  reportsTotal,
  reportsDashboard,
  reportsPlatforms,
  reportsPublishers,
  reportsBanners,
  reportsDimension,
]
