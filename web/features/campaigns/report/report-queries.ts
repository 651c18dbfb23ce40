import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { campaignReport, type ReportInput } from '../../../../api/contract/reports.ts'
import type { z } from '../../../../api/contract/zod.ts'
import { call } from '@/data/client'
import type { DateRange } from '@/lib/date-range'

export type Report = z.output<typeof campaignReport.output>

const BY_DAY = 2
export const REPORT_METRICS = ['impressions', 'cpm', 'clicks', 'cpc', 'ctr', 'conversions', 'cpa', 'cvr', 'spent'] as const

export const reportInputOf = (id: string, { start, end }: DateRange): ReportInput => ({
  id,
  from_date: start,
  to_date: end,
  granularity_type_key: BY_DAY,
  included_metrics: [...REPORT_METRICS],
})

/** True when nothing was delivered: days of zeros are treated like no days. */
export const isEmpty = ({ totals }: Report): boolean => Object.values(totals).every((total) => total === 0)

export const reportQueries = {
  campaign: (id: string, range: DateRange) =>
    queryOptions({
      queryKey: ['reports', id, range],
      queryFn: ({ signal }) => call(campaignReport, { body: reportInputOf(id, range), signal }),
      placeholderData: keepPreviousData,
      staleTime: 30_000,
    }),
}
