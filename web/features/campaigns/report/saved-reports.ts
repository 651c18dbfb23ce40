import { queryOptions } from '@tanstack/react-query'
import { savedReports, type SavedReport, type SavedReportBody } from '#contract/saved-reports'
import { call } from '@/data/client'
import { presetOf, presetRange, rangeSearch } from '@/lib/date-range'
import { shownSpace } from '@/session/identity'
import { TABLE_GROUPINGS } from '#domain/reports/groupings'
import { METRIC_NAMES } from './report-names.ts'
import { tableBody, type TableAsked } from './report-queries.ts'
import type { ReportSearch } from './report-search.ts'
import type { ReportView } from './use-report.ts'

export const savedKey = () => ['reports', 'saved', shownSpace()] as const

/** Reports that the user saved in this account, and those of its people for who manages them. */
export const savedQuery = () =>
  queryOptions({ queryKey: savedKey(), queryFn: ({ signal }) => call(savedReports, { signal }), staleTime: 60_000 })

/** Saved settings of a report: a usual range moves with the day, others keep their dates. */
export function savedReportOf(
  { scope, request, range, today, metrics }: ReportView,
  asked: TableAsked,
): SavedReportBody['report'] {
  const {
    from_date: _,
    to_date: __,
    page: ___,
    page_size: ____,
    language_key: _____,
    ...table
  } = tableBody(scope, { ...request, metrics }, asked)
  const preset = presetOf(range, today)
  return { ...table, ...(preset === null ? { start_date: range.start, end_date: range.end } : { range: preset }) }
}

/** The address of a saved report on a day. */
export function searchOf({ report }: SavedReport, today: Date): ReportSearch {
  const fixed = { start: report.start_date ?? undefined, end: report.end_date ?? undefined }
  const days = report.range ? rangeSearch(presetRange(report.range, today), today) : fixed
  const order = (['name', ...METRIC_NAMES] as const).find((name) => name === report.order_field)
  return {
    campaignId: report.id ?? '',
    ...days,
    by: TABLE_GROUPINGS.find((grouping) => grouping === report.grouping),
    step: report.grouping === 'date_hour' ? 'hours' : undefined,
    order,
    dir: order === undefined ? undefined : report.order_asc === true ? 'asc' : 'desc',
    q: report.search ?? undefined,
    metrics: report.included_metrics?.join(','),
    devices: report.device_type_keys?.length ? report.device_type_keys.join(',') : undefined,
    size: report.visual_size_key ?? undefined,
    publisher: report.publisher ?? undefined,
  }
}
