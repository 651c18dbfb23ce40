import type { Served } from '#api/areas/services'
import type { Language } from '#domain/kit/languages'
import { GRANULARITY, METRICS, type Metric } from '#domain/reports/figures'
import { isUtc, startOfDay } from '#domain/kit/time-zone'
import type { Grouping } from '#factstore/fact-store'
import { GROUPINGS, type GroupingName } from '#domain/reports/groupings'
import type { AccountReportInput, GroupedReport, ReportChanges } from '#contract/account-reports'
import type { Caller } from '#api/http/caller'
import { figuresOfSums, freshness, only } from '#commands/reports/figures'
import { refused } from '#commands/refused'
import { changesIn, currenciesOf } from '#projections/campaign/list/report-queries'
import { pointsWith } from './report-calls.ts'
import { readReport } from './report-input.ts'
import { coveredBy, FACT_GROUPINGS, seriesOf, zoneFor } from './report-scope.ts'
import { namesOf } from './row-names.ts'

const PAGE_SIZE = 150

type RowGrouping = GroupingName | 'platforms' | 'publishers'
const GROUPING_OF: Readonly<Record<RowGrouping, Grouping>> = {
  ...FACT_GROUPINGS,
  platforms: 'device_type_key',
  publishers: 'publisher',
  year: 'year',
  quarter: 'quarter',
  month: 'month',
  week: 'week',
  day: 'day',
  day_of_week: 'day_of_week',
  hour: 'hour',
}

/** Figures of money, which accounts of several currencies have no sum of. */
export const OF_MONEY: ReadonlySet<Metric> = new Set(['spent', 'cpm', 'cpc', 'cpa', 'cpcv'])

/** Reports of a campaign, an account, or everything in reach (decisions G-223 to G-226). */
export function createAccountReports(
  deps: Served<'accounts' | 'db' | 'facts' | 'reference' | 'whiteLabels'>,
  languageOf: (caller: Caller) => Promise<Language>,
) {
  /** One report: points and totals, and rows by a grouping where there is one. */
  async function report(
    caller: Caller,
    input: AccountReportInput,
    shown: { readonly grouping?: RowGrouping; readonly points: boolean },
  ): Promise<GroupedReport> {
    const covered = await coveredBy(deps, caller, input)
    const request = readReport(input, METRICS, zoneFor(deps, covered, input.days_of))
    const { scope } = covered
    const filter = { ...request.filter, scope }
    const { grouping } = shown
    const limit = input.page_size ?? PAGE_SIZE
    const page = { offset: (input.page ?? 0) * limit, limit }
    const [currencies, totals, series, groups] = await Promise.all([
      currenciesOf(deps.db, scope),
      deps.facts.totals(filter),
      shown.points ? seriesOf(deps.facts, filter, request) : [],
      grouping === undefined ? { rows: [], total: 0 } : deps.facts.groups(filter, GROUPING_OF[grouping], page),
    ])
    const metrics = currencies.length > 1 ? request.metrics.filter((metric) => !OF_MONEY.has(metric)) : request.metrics
    const keys = groups.rows.map(({ key }) => key)
    const nameOf =
      grouping === undefined ? null : await namesOf(deps, grouping, { filter, keys, language: await languageOf(caller) })
    return {
      points: shown.points ? pointsWith({ ...request, metrics }, series) : [],
      totals: only(metrics, figuresOfSums(totals)),
      rows: groups.rows.map(({ key, sums }) => ({
        key,
        label: nameOf?.(key).label ?? key,
        values: only(metrics, figuresOfSums(sums)),
      })),
      total_size: groups.total,
      currency: currencies.length === 1 ? (currencies[0] ?? null) : null,
      ...freshness(deps.now()),
    }
  }

  /** When users changed the campaigns of a report. */
  async function changes(caller: Caller, input: AccountReportInput): Promise<ReportChanges> {
    const covered = await coveredBy(deps, caller, input)
    const { filter, step, zone } = readReport(input, METRICS, zoneFor(deps, covered, input.days_of))
    const { from, to } = filter
    const points = await changesIn(deps.db, covered.scope, { from, to, step, zone })
    return {
      points: points.map(({ start, count, campaigns, named }) => ({
        name: Date.parse(step === 'hour' ? `${start}:00Z` : isUtc(zone) ? start : startOfDay(start, zone)),
        count,
        total_size: campaigns,
        campaigns: [...named],
      })),
    }
  }

  return {
    changes,
    total: (caller: Caller, input: AccountReportInput) => report(caller, input, { points: false }),
    dashboard: (caller: Caller, input: AccountReportInput) => report(caller, input, { points: true }),
    platforms: (caller: Caller, input: AccountReportInput) => report(caller, input, { points: true, grouping: 'platforms' }),
    publishers: (caller: Caller, input: AccountReportInput) => report(caller, input, { points: true, grouping: 'publishers' }),
    /** Always by day (campaigns.md §7). */
    banners: (caller: Caller, input: AccountReportInput) =>
      report(caller, { ...input, granularity_type_key: GRANULARITY.days }, { points: true, grouping: 'size' }),
    async dimension(caller: Caller, input: AccountReportInput & { readonly dimension: string }) {
      const name = GROUPINGS.find((known) => known === input.dimension)
      if (name === undefined) throw refused(150, [{ path: 'dimension', code: 150, message: 'Report mode not supported' }])
      return report(caller, input, { points: false, grouping: name })
    },
  }
}
