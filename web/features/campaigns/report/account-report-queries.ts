import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  reportsDashboard,
  reportsDimension,
  reportsPlatforms,
  reportsPublishers,
  reportsTotal,
  type AccountReportInput,
  type GroupedReport,
} from '../../../../api/contract/reports.ts'
import { call } from '@/data/client'
import type { DateRange } from '@/lib/date-range'
import { shownSpace } from '@/session/identity'
import { REPORT_METRICS, type ReportGrouping } from './report-names.ts'

const BY_DAY = 2
const FRESH_MS = 30_000

const inputOf = ({ start, end }: DateRange): AccountReportInput => ({
  from_date: start,
  to_date: end,
  granularity_type_key: BY_DAY,
  included_metrics: [...REPORT_METRICS],
})

const grouped = (grouping: ReportGrouping, body: AccountReportInput, signal: AbortSignal): Promise<GroupedReport> =>
  grouping === 'platforms'
    ? call(reportsPlatforms, { body, signal })
    : grouping === 'publishers'
      ? call(reportsPublishers, { body, signal })
      : call(reportsDimension, { body: { ...body, dimension: grouping }, signal })

/** Reports of the account that the session acts in; of staff, of their whole white-label. */
export const accountReportQueries = {
  total: (range: DateRange) =>
    queryOptions({
      queryKey: ['reports', 'account', shownSpace(), 'total', range],
      queryFn: ({ signal }) => call(reportsTotal, { body: inputOf(range), signal }),
      staleTime: FRESH_MS,
    }),
  days: (range: DateRange) =>
    queryOptions({
      queryKey: ['reports', 'account', shownSpace(), 'days', range],
      queryFn: ({ signal }) => call(reportsDashboard, { body: inputOf(range), signal }),
      placeholderData: keepPreviousData,
      staleTime: FRESH_MS,
    }),
  groups: (range: DateRange, grouping: ReportGrouping) =>
    queryOptions({
      queryKey: ['reports', 'account', shownSpace(), 'groups', range, grouping],
      queryFn: ({ signal }) => grouped(grouping, inputOf(range), signal),
      placeholderData: keepPreviousData,
      staleTime: FRESH_MS,
    }),
}
