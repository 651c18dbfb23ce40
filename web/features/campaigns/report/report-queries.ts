import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { reportsChanges, reportsDashboard, reportsPublishers, reportsTotal } from '#contract/account-reports'
import { reportTable, type ReportTableInput } from '#contract/report-tables'
import { campaignReport, overDelivery } from '#contract/reports'
import { isUtc, offsetAt, type Zone } from '#domain/kit/time-zone'
import { GRANULARITY } from '#domain/reports/figures'
import { call } from '@/data/client'
import { FIGURES_MS } from '@/data/figures'
import { today } from '@/lib/clock'
import { languageKeyOf, type Language } from '#domain/kit/languages'
import { toDay, type DateRange } from '@/lib/date-range'
import { shownSpace } from '@/session/identity'
import type { TableGrouping } from '#domain/reports/groupings'
import type { Device, Metric } from './report-names.ts'
import { addParts, joinParts, splitRange, withCounts, type Part, type Step } from './report-parts.ts'

/** Scope of a report: a campaign by its id, or null for the account of the session; for staff, their whole white-label. */
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
  /** Time zone whose days are meant. */
  readonly zone: Zone
}

export type ReportAnswer = Part & {
  /** The figures of each chosen device kind, when there are several. */
  readonly byDevice: readonly (Part & { readonly device: Device })[]
  /** Null where accounts of several currencies are in reach; a campaign's answer does not name it. */
  readonly currency: string | null | undefined
  /** When it was read, ISO 8601. */
  readonly asOf: string
  /** The same moment, as points name theirs: local time as if it were UTC, epoch milliseconds. */
  readonly localAsOf: number
  /** The step and the period of its points: those of an earlier request while another one is loading. */
  readonly step: Step
  readonly range: DateRange
}

const FRESH_MS = FIGURES_MS / 2
/** Key of "all sizes", sent as null. */
export const ALL_SIZES = 1

/** Asks for the days of the account where they are no UTC days. */
const daysOf = (zone: Zone) => (isUtc(zone) ? {} : { days_of: 'account' as const })

/** An instant as if its local time were UTC: what is written on screen. */
const localOf = (at: number, zone: Zone): number => at + offsetAt(zone, at) * 1000

/** The body of a report request. */
export const reportBody = (
  { range, step, metrics, filters, zone }: ReportRequest,
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
  ...daysOf(zone),
})

type Read = Part & { readonly currency: string | null | undefined; readonly asOf: string }

async function readPart(scope: ReportScope, body: ReturnType<typeof reportBody>, zone: Zone, signal: AbortSignal): Promise<Read> {
  const answer =
    scope === null
      ? await call(reportsDashboard, { body, signal })
      : { ...(await call(campaignReport, { body: { ...body, id: scope }, signal })), currency: undefined }
  return {
    points: answer.points.map(({ name, values }) => ({ at: localOf(name, zone), values })),
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
        ranges.map((range) => readPart(scope, reportBody({ ...request, range, metrics }, device), request.zone, signal)),
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
    localAsOf: first === undefined ? 0 : localOf(Date.parse(first.asOf), request.zone),
    step: request.step,
    range: request.range,
  }
}

/** Content of a table of a report. */
export type TableAsked = {
  readonly grouping: TableGrouping
  readonly order: string | undefined
  readonly dir: 'asc' | 'desc' | undefined
  readonly search: string | undefined
  readonly page: number
  readonly rows: number
  readonly language: Language
}

/** The body of a table, on screen and as a file. */
export function tableBody(scope: ReportScope, request: Omit<ReportRequest, 'step'>, asked: TableAsked): ReportTableInput {
  const { device_type_key: _, granularity_type_key: __, ...body } = reportBody({ ...request, step: 'days' }, null)
  return {
    ...body,
    id: scope,
    device_type_keys: [...request.filters.devices],
    grouping: asked.grouping,
    order_field: asked.order ?? null,
    order_asc: asked.order === undefined ? null : asked.dir === 'asc',
    search: asked.search ?? null,
    page: asked.page,
    page_size: asked.rows,
    language_key: languageKeyOf(asked.language),
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
  table: (scope: ReportScope, { step: _, ...request }: ReportRequest, asked: TableAsked) =>
    queryOptions({
      queryKey: [...keyOf(scope), 'table', asked, request],
      queryFn: ({ signal }) => call(reportTable, { body: tableBody(scope, request, asked), signal }),
      placeholderData: keepPreviousData,
      ...live(request.range),
    }),
  overDelivery: (id: string) =>
    queryOptions({
      queryKey: [...keyOf(id), 'over-delivery'],
      queryFn: ({ signal }) => call(overDelivery, { params: { id }, signal }),
      staleTime: FRESH_MS,
      refetchInterval: 4 * FIGURES_MS,
    }),
  /** Totals of a period of the account. */
  total: (range: DateRange, zone: Zone) =>
    queryOptions({
      queryKey: [...keyOf(null), 'total', range, zone],
      queryFn: ({ signal }) => {
        const metrics = ['impressions', 'clicks', 'spent'] as const
        return call(reportsTotal, { body: reportBody({ range, step: 'days', metrics, filters: NO_FILTERS, zone }), signal })
      },
      ...live(range),
    }),
  publishers: (scope: ReportScope, range: DateRange) =>
    queryOptions({
      queryKey: [...keyOf(scope), 'publishers', range],
      queryFn: async ({ signal }) => {
        const body = reportBody({ range, step: 'days', metrics: ['impressions'], filters: NO_FILTERS, zone: 0 })
        const { rows } = await call(reportsPublishers, { body: { ...body, id: scope }, signal })
        return rows.map(({ key }) => key).filter((name) => name !== '')
      },
      staleTime: FRESH_MS,
    }),
  /** When users changed the campaigns, for readers of the change log. */
  changes: (scope: ReportScope, range: DateRange, step: Step, zone: Zone) =>
    queryOptions({
      queryKey: [...keyOf(scope), 'changes', range, step, zone],
      queryFn: async ({ signal }) => {
        const { points } = await call(reportsChanges, {
          body: {
            id: scope,
            from_date: range.start,
            to_date: range.end,
            granularity_type_key: GRANULARITY[step],
            ...daysOf(zone),
          },
          signal,
        })
        return points.map((point) => ({ ...point, name: localOf(point.name, zone) }))
      },
      staleTime: FRESH_MS,
    }),
}

/** True when nothing was delivered: points of zeros are treated like no points. */
export const isEmpty = ({ totals }: Pick<Part, 'totals'>): boolean => Object.values(totals).every((total) => total === 0)
