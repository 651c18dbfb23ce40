import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTodayIn } from '@/lib/clock'
import { rangeOf, rangeSearch, type DateRange } from '@/lib/date-range'
import { useMe } from '@/session/session-queries'
import { canBeCompared, previousRange } from './report-compare.ts'
import { chosenLines, chosenMetrics, offeredMetrics } from './report-metrics.ts'
import { REPORT_DEVICES } from '#domain/reports/figures'
import { MOST_LINES } from './report-names.ts'
import { canBeHourly, type Part, type Step } from './report-parts.ts'
import { begun, sinceFirst } from './report-points.ts'
import { isEmpty, reportQueries, type ReportFilters, type ReportRequest, type ReportScope } from './report-queries.ts'
import type { ReportSearch } from './report-search.ts'

const route = getRouteApi('/_app/reports')

const NOTHING: Part['points'] = []

/** The state of a report from its address, and its figures. */
export function useReport(scope: ReportScope) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { zone } = useMe()
  const today = useTodayIn(zone)
  const range = rangeOf(search, today)
  const step: Step = search.step === 'hours' && canBeHourly(range) ? 'hours' : 'days'
  const comparing = search.compare === 'previous' && canBeCompared(range)
  const asked = chosenMetrics(search.metrics, offeredMetrics({ money: true }))
  const filters = filtersOf(search)
  const request: ReportRequest = { range, step, metrics: asked, filters, zone }
  const figures = useQuery(reportQueries.figures(scope, request))
  const previous = useQuery({
    ...reportQueries.figures(scope, { ...request, range: previousRange(range, today) }),
    enabled: comparing,
  })
  const { data } = figures
  // Amounts of several currencies have no sum.
  const offered = offeredMetrics({ money: data?.currency !== null })
  const metrics = chosenMetrics(search.metrics, offered)
  // Several device kinds have a line each, of one metric.
  const mostLines = filters.devices.length > 1 ? 1 : MOST_LINES
  const all = data?.points ?? NOTHING
  const now = data?.localAsOf ?? 0
  const shownStep = data?.step ?? step
  const begunPoints = useMemo(() => begun(all, now), [all, now])
  const points = useMemo(() => sinceFirst(begunPoints, shownStep), [begunPoints, shownStep])
  // Another filter or order begins with the first page.
  const patch = (next: Partial<ReportSearch>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...next }), replace: true, resetScroll: false })
  return {
    scope,
    search,
    range,
    today,
    zone,
    step,
    comparing,
    filters,
    offered,
    metrics,
    lines: chosenLines(search.metric, metrics, mostLines),
    mostLines,
    request: { ...request, metrics },
    figures,
    previous: comparing ? previous : null,
    /** Hours or days that have begun, oldest first; none until loaded. */
    begunPoints,
    /** Points of a long period since the first figure. */
    points,
    empty: data !== undefined && isEmpty(data),
    /** Writes to the address in place. */
    patch,
    /** Shows another period, which Back leaves again. */
    showRange: (next: DateRange, by: Step = step) =>
      void navigate({
        search: (before) => ({
          ...before,
          ...rangeSearch(next, today),
          step: by === 'hours' ? 'hours' : undefined,
          page: undefined,
        }),
      }),
  }
}
export type ReportView = ReturnType<typeof useReport>

function filtersOf({ devices, size, publisher }: ReportSearch): ReportFilters {
  const chosen = devices?.split(',') ?? []
  return {
    devices: REPORT_DEVICES.filter((device) => chosen.includes(String(device))),
    size: size ?? null,
    publisher: publisher ?? null,
  }
}
