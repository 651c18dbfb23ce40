import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  campaignReport,
  reportsChanges,
  reportsDashboard,
  reportsDimension,
  reportsPlatforms,
  reportsPublishers,
  reportsTotal,
  type AccountReportInput,
  type GroupedReport,
} from '../../../../api/contract/reports.ts'
import { GRANULARITY } from '../../../../domain/figures/figures.ts'
import { call } from '@/data/client'
import { FIGURES_MS } from '@/data/figures'
import { today } from '@/lib/clock'
import { toDay, type DateRange } from '@/lib/date-range'
import { shownSpace } from '@/session/identity'
import type { Device, Metric, ReportGrouping } from './report-names.ts'
import { addParts, joinParts, splitRange, sumOf, withCounts, type Part, type Step } from './report-parts.ts'

/** What a report is about: a campaign by its id, or with null the account that the session acts in; of staff, their whole white-label. */
export type ReportScope = string | null

export type ReportFilters = {
  /** One request for each; none means all. */
  readonly devices: readonly Device[]
  /** Key of a banner size. */
  readonly size: number | null
  readonly publisher: string | null
}
export const NO_FILTERS: ReportFilters = { devices: [], size: null, publisher: null }

export type ReportRequest = {
  readonly range: DateRange
  readonly step: Step
  readonly metrics: readonly Metric[]
  readonly filters: ReportFilters
}

export type ReportAnswer = Part & {
  /** The figures of each chosen device kind, when there are several. */
  readonly byDevice: readonly (Part & { readonly device: Device })[]
  /** Null where accounts of several currencies are in reach; a campaign's answer does not name it. */
  readonly currency: string | null | undefined
  /** When it was read, ISO 8601. */
  readonly asOf: string
  /** The step and the period of its points: those of an earlier request while another one is loading. */
  readonly step: Step
  readonly range: DateRange
}

const FRESH_MS = FIGURES_MS / 2
/** Key of "all sizes", sent as null. */
export const ALL_SIZES = 1

/** The body of a report request. Days are UTC days. */
export const reportBody = (
  { range, step, metrics, filters }: ReportRequest,
  device: Device | null = filters.devices.length === 1 ? (filters.devices[0] ?? null) : null,
) => ({
  from_date: range.start,
  to_date: range.end,
  device_type_key: device,
  visual_size_key: filters.size === ALL_SIZES ? null : filters.size,
  granularity_type_key: GRANULARITY[step],
  publisher: filters.publisher,
  tz_offset_seconds: 0,
  included_metrics: [...metrics],
})

type Read = Part & { readonly currency: string | null | undefined; readonly asOf: string }

async function readPart(scope: ReportScope, body: ReturnType<typeof reportBody>, signal: AbortSignal): Promise<Read> {
  const answer =
    scope === null
      ? await call(reportsDashboard, { body, signal })
      : { ...(await call(campaignReport, { body: { ...body, id: scope }, signal })), currency: undefined }
  return {
    points: answer.points.map(({ name, values }) => ({ at: name, values })),
    totals: answer.totals,
    currency: answer.currency,
    asOf: answer.as_of,
  }
}

/** Reads all device kinds and all weeks at once, and merges them. */
async function readReport(scope: ReportScope, request: ReportRequest, signal: AbortSignal): Promise<ReportAnswer> {
  const { devices } = request.filters
  const metrics = withCounts(request.metrics)
  const ranges = splitRange(request.range, request.step)
  const answers = await Promise.all(
    (devices.length === 0 ? [null] : devices).map(async (device) => {
      const parts = await Promise.all(
        ranges.map((range) => readPart(scope, reportBody({ ...request, range, metrics }, device), signal)),
      )
      return { device, part: joinParts(parts, metrics), parts }
    }),
  )
  const [first] = answers.flatMap(({ parts }) => parts)
  return {
    ...addParts(
      answers.map(({ part }) => part),
      metrics,
    ),
    byDevice: devices.length > 1 ? answers.flatMap(({ device, part }) => (device === null ? [] : [{ device, ...part }])) : [],
    currency: first?.currency,
    asOf: first?.asOf ?? '',
    step: request.step,
    range: request.range,
  }
}

const groupedBy = (grouping: ReportGrouping, body: AccountReportInput, signal: AbortSignal): Promise<GroupedReport> =>
  grouping === 'platforms'
    ? call(reportsPlatforms, { body, signal })
    : grouping === 'publishers'
      ? call(reportsPublishers, { body, signal })
      : call(reportsDimension, { body: { ...body, dimension: grouping }, signal })

/** Rows of one grouping, the most spent first. */
async function readGroups(scope: ReportScope, grouping: ReportGrouping, request: ReportRequest, signal: AbortSignal) {
  const { devices } = request.filters
  const metrics = withCounts(request.metrics)
  const answers = await Promise.all(
    (devices.length === 0 ? [null] : devices).map((device) =>
      groupedBy(grouping, { ...reportBody({ ...request, step: 'days', metrics }, device), id: scope }, signal),
    ),
  )
  const [first] = answers
  if (first === undefined || answers.length === 1) return first ?? null
  const keys = new Map(answers.flatMap(({ rows }) => rows.map(({ key, label }) => [key, label] as const)))
  const rows = [...keys].map(([key, label]) => ({
    key,
    label,
    values: sumOf(
      answers.map((answer) => answer.rows.find((row) => row.key === key)?.values ?? {}),
      metrics,
    ),
  }))
  const weight = ({ values }: (typeof rows)[number]) => values.spent ?? values.impressions ?? 0
  return {
    ...first,
    rows: rows.toSorted((a, b) => weight(b) - weight(a)),
    totals: sumOf(
      answers.map(({ totals }) => totals),
      metrics,
    ),
    // A kind with more rows than one answer holds leaves the number of all rows unknown.
    total_size: Math.max(rows.length, ...answers.map(({ total_size }) => total_size)),
  }
}

/** Figures of the current day go on; those of past days change by late batches only. */
const live = ({ end }: DateRange) => ({
  staleTime: FRESH_MS,
  refetchInterval: end >= toDay(today()) ? FIGURES_MS : (false as const),
})

const keyOf = (scope: ReportScope) => ['reports', scope ?? 'account', shownSpace()] as const

export const reportQueries = {
  figures: (scope: ReportScope, request: ReportRequest) =>
    queryOptions({
      queryKey: [...keyOf(scope), 'figures', request],
      queryFn: ({ signal }) => readReport(scope, request, signal),
      placeholderData: keepPreviousData,
      ...live(request.range),
    }),
  groups: (scope: ReportScope, grouping: ReportGrouping, { step: _, ...request }: ReportRequest) =>
    queryOptions({
      queryKey: [...keyOf(scope), 'groups', grouping, request],
      queryFn: ({ signal }) => readGroups(scope, grouping, { ...request, step: 'days' }, signal),
      placeholderData: keepPreviousData,
      ...live(request.range),
    }),
  /** Totals of a period of the account. */
  total: (range: DateRange) =>
    queryOptions({
      queryKey: [...keyOf(null), 'total', range],
      queryFn: ({ signal }) => {
        const metrics = ['impressions', 'clicks', 'spent'] as const
        return call(reportsTotal, { body: reportBody({ range, step: 'days', metrics, filters: NO_FILTERS }), signal })
      },
      ...live(range),
    }),
  publishers: (scope: ReportScope, range: DateRange) =>
    queryOptions({
      queryKey: [...keyOf(scope), 'publishers', range],
      queryFn: async ({ signal }) => {
        const body = reportBody({ range, step: 'days', metrics: ['impressions'], filters: NO_FILTERS })
        const { rows } = await call(reportsPublishers, { body: { ...body, id: scope }, signal })
        return rows.map(({ key }) => key).filter((name) => name !== '')
      },
      staleTime: FRESH_MS,
    }),
  /** When users changed the campaigns, for readers of the change log. */
  changes: (scope: ReportScope, range: DateRange, step: Step) =>
    queryOptions({
      queryKey: [...keyOf(scope), 'changes', range, step],
      queryFn: ({ signal }) =>
        call(reportsChanges, {
          body: { id: scope, from_date: range.start, to_date: range.end, granularity_type_key: GRANULARITY[step] },
          signal,
        }),
      staleTime: FRESH_MS,
    }),
}

/** True when nothing was delivered: points of zeros are treated like no points. */
export const isEmpty = ({ totals }: Pick<Part, 'totals'>): boolean => Object.values(totals).every((total) => total === 0)
