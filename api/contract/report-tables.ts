import { METRICS, REPORT_DEVICES } from '#domain/reports/figures'
import { TABLE_GROUPINGS } from '#domain/reports/groupings'
import { accountReportInput } from './account-reports.ts'
import { among, endpoint, named } from './http.ts'
import { figures, freshness } from './reports.ts'
import { z } from './zod.ts'

export const tableInput = z.extend(z.omit(accountReportInput, { granularity_type_key: true, device_type_key: true }), {
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
/** Columns, rows and filters of a table of a report. */
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
      /** Sums of all rows that match the search. */
      totals: figures,
      current_page: z.number(),
      page_size: z.number(),
      /** Number of rows on all pages. */
      total_size: z.number(),
      /** Rows with the least spend, which are neither sorted nor searched: a table holds at most 10,000 rows. */
      left_out: z.number(),
      /** ISO 4217; null when accounts of several currencies are in reach, and then no figure of money is given. */
      currency: z.nullable(z.string()),
      /** Time zone of the period and the rows: an IANA name, or an offset such as UTC+04:00. */
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

export const REPORT_TABLE_ENDPOINTS = [reportTable, reportTableFile]
