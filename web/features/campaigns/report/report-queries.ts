import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { campaignReport, type ReportInput } from '../../../../api/contract/reports.ts'
import type { z } from '../../../../api/contract/zod.ts'
import { call } from '@/data/client'
import type { DateRange } from '@/lib/date-range'
import { REPORT_METRICS, type Metric } from './report-names.ts'

export type Report = z.output<typeof campaignReport.output>

const BY_DAY = 2

export const reportInputOf = (id: string, { start, end }: DateRange): ReportInput => ({
  id,
  from_date: start,
  to_date: end,
  granularity_type_key: BY_DAY,
  included_metrics: [...REPORT_METRICS],
})

export type ReportDay = {
  /** YYYY-MM-DD, UTC. */
  readonly day: string
  readonly values: Readonly<Partial<Record<Metric, number>>>
}

/** Returns the days of a report, oldest first. */
export const daysOf = ({ points }: Report): readonly ReportDay[] =>
  points.map(({ name, values }) => ({ day: new Date(name).toISOString().slice(0, 10), values }))

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
