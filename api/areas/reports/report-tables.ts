import type { Language } from '#domain/kit/languages'
import { GRANULARITY, metricNamed, METRICS, type Metric } from '#domain/reports/figures'
import { timeKey } from '#domain/reports/time-keys'
import { TABLE_GROUPINGS, type TableGrouping } from '#domain/reports/groupings'
import { zoneName } from '#domain/kit/time-zone'
import type { FactFilter, FactPage, FactSums, Grouping } from '#factstore/fact-store'
import { currenciesOf } from '#projections/campaign/list/report-queries'
import type { ReportTable, ReportTableInput, ReportTableRow } from '#contract/report-tables'
import { addSums, figuresOfSums, freshness, NO_SUMS, only } from '#commands/reports/figures'
import type { Needs } from '#api/areas/services'
import { mapInParts } from '#commands/in-parts'
import { refused } from '#commands/refused'
import { OF_MONEY } from './account-reports.ts'
import { readReport, type ReportRequest } from './report-input.ts'
import { FACT_GROUPINGS, seriesOf, zoneFor, type Covered } from './report-scope.ts'
import { namesOf } from './row-names.ts'

/** Most rows that are sorted, searched and written to a file. */
const MOST_ROWS = 10_000
const PAGE_SIZE = 25
/** Longer periods begin with their first figure. Points. */
const LONG_PERIOD = 92

type Deps = Needs<'accounts' | 'db' | 'facts' | 'now' | 'reference' | 'whiteLabels'>

type Group = { readonly key: string; readonly sums: FactSums }
type Groups = { readonly rows: readonly Group[]; readonly total: number }

/** A table with all its rows, in their order. */
export type WholeTable = Omit<ReportTable, 'current_page' | 'page_size'> & {
  readonly grouping: TableGrouping
  readonly metrics: readonly Metric[]
}

/** Groupings by fact; the others are parts of the time. */
const DIMENSION_OF: Readonly<Partial<Record<TableGrouping, Grouping>>> = {
  campaign: 'campaign_id',
  platforms: 'device_type_key',
  publishers: 'publisher',
  ...FACT_GROUPINGS,
}

/** The tables of reports: on screen page by page, and whole in files and mails. */
export function createReportTables(deps: Deps) {
  /** Sums by the grouping, of all chosen device kinds together. */
  async function groupsOf(
    request: ReportRequest,
    filters: readonly FactFilter[],
    grouping: TableGrouping,
    page: FactPage,
  ): Promise<Groups> {
    const dimension = DIMENSION_OF[grouping]
    if (dimension === undefined) return timeGroups(request, filters, grouping)
    const found = await Promise.all(filters.map((filter) => deps.facts.groups(filter, dimension, page)))
    const [first] = found
    if (found.length === 1 && first !== undefined) return first
    const rows = merged(found.flatMap((groups) => groups.rows)).toSorted((a, b) => b.sums.spent - a.sums.spent)
    return { rows, total: Math.max(rows.length, ...found.map(({ total }) => total)) }
  }

  /** Parts of the time in the request's zone: hours and days of the period that have begun, with zeros, or their sums. */
  async function timeGroups(request: ReportRequest, filters: readonly FactFilter[], grouping: TableGrouping): Promise<Groups> {
    const series = await Promise.all(filters.map((filter) => seriesOf(deps.facts, filter, request)))
    const { zone } = request
    const points = series.flat().map(({ start, sums }) => ({ key: timeKey(grouping, start, zone), sums }))
    if (grouping !== 'day' && grouping !== 'date_hour') {
      const rows = merged(points)
      return { rows, total: rows.length }
    }
    const sums = new Map(merged(points).map((row) => [row.key, row.sums]))
    const now = Date.parse(deps.now())
    const begun = request.starts.filter((start) => start <= now).map((start) => timeKey(grouping, start, zone))
    const first = begun.length > LONG_PERIOD ? begun.findIndex((key) => sums.has(key)) : 0
    const shown = first === -1 ? [] : [...new Set(begun.slice(first))]
    return { rows: shown.map((key) => ({ key, sums: sums.get(key) ?? NO_SUMS })), total: shown.length }
  }

  /** The table with all its rows, or with those of one page. */
  async function read(covered: Covered, input: ReportTableInput, language: Language, page: FactPage | null): Promise<WholeTable> {
    const grouping = TABLE_GROUPINGS.find((known) => known === input.grouping)
    if (grouping === undefined) throw refused(150, [{ path: 'grouping', code: 150, message: 'Report mode not supported' }])
    const isHourly = grouping === 'date_hour' || grouping === 'hour'
    const devices = input.device_type_keys?.length ? input.device_type_keys : [null]
    const zone = zoneFor(deps, covered, input.days_of)
    const requests = [...new Set(devices)].map((device) =>
      readReport(
        { ...input, device_type_key: device, granularity_type_key: isHourly ? GRANULARITY.hours : GRANULARITY.days },
        METRICS,
        zone,
      ),
    )
    const [request] = requests
    const filters = requests.map(({ filter }) => ({ ...filter, scope: covered.scope }))
    const [filter] = filters
    if (request === undefined || filter === undefined) throw new Error('a report has at least one filter')
    const wanted = input.search?.trim().toLowerCase() ?? ''
    const order = orderOf(input, grouping)
    const paged = page !== null && wanted === '' && order === null && filters.length === 1
    const [currencies, groups, totals] = await Promise.all([
      currenciesOf(deps.db, covered.scope),
      groupsOf(request, filters, grouping, paged ? page : { offset: 0, limit: MOST_ROWS }),
      Promise.all(filters.map((filter) => deps.facts.totals(filter))),
    ])
    const metrics = currencies.length > 1 ? request.metrics.filter((metric) => !OF_MONEY.has(metric)) : request.metrics
    const nameOf = await namesOf(deps, grouping, {
      filter: { ...filter, deviceTypeKey: null },
      keys: groups.rows.map(({ key }) => key),
      language,
    })
    const named = groups.rows.map(({ key, sums }) => ({ key, sums, ...nameOf(key) }))
    const matching = wanted === '' ? named : named.filter((row) => matches(row, wanted))
    const sums = wanted === '' ? totals : matching.map((row) => row.sums)
    const ordered = order === null ? matching : await inOrder(matching, order, language)
    const shown = page === null || paged ? ordered : ordered.slice(page.offset, page.offset + page.limit)
    return {
      grouping,
      metrics,
      rows: await mapInParts(shown, ({ sums: own, ...row }) => ({ ...row, values: only(metrics, figuresOfSums(own)) })),
      totals: only(metrics, figuresOfSums(sums.reduce(addSums, NO_SUMS))),
      total_size: paged ? groups.total : matching.length,
      left_out: paged ? 0 : Math.max(0, groups.total - groups.rows.length),
      currency: currencies.length === 1 ? (currencies[0] ?? null) : null,
      time_zone: zoneName(zone),
      ...freshness(deps.now()),
    }
  }

  return {
    tableOf: (covered: Covered, input: ReportTableInput, language: Language): Promise<WholeTable> =>
      read(covered, input, language, null),

    async page(covered: Covered, input: ReportTableInput, language: Language): Promise<ReportTable> {
      const limit = input.page_size ?? PAGE_SIZE
      const current = input.page ?? 0
      const offset = current * limit
      const { grouping: _, metrics: __, ...table } = await read(covered, input, language, { offset, limit })
      return { ...table, current_page: current, page_size: limit }
    },
  }
}

type Named = Pick<ReportTableRow, 'key' | 'label' | 'detail'>
type Summed = Named & { readonly sums: FactSums }

const matches = ({ key, label, detail }: Named, wanted: string): boolean =>
  [key, label, detail ?? ''].some((text) => text.toLowerCase().includes(wanted))

/** Rows of one key as one, in the order of their first. */
function merged(rows: readonly Group[]): readonly Group[] {
  const sums = new Map<string, FactSums>()
  for (const row of rows) {
    const before = sums.get(row.key)
    sums.set(row.key, before === undefined ? row.sums : addSums(before, row.sums))
  }
  return [...sums].map(([key, own]) => ({ key, sums: own }))
}

/** A figure, or null for the name or the time. */
type Order = { readonly by: Metric | null; readonly direction: 1 | -1; readonly isTime: boolean }

/** The order of the rows; null for that of the store, the most spent first. 2 for an unknown field. */
function orderOf({ order_field: field, order_asc: ascending }: ReportTableInput, grouping: TableGrouping): Order | null {
  const isTime = DIMENSION_OF[grouping] === undefined
  const metric = metricNamed(field ?? '')
  if (field && field !== 'name' && metric === undefined)
    throw refused(2, [{ path: 'order_field', code: 2, message: 'The table cannot be ordered by this field' }])
  const by = metric ?? (field || isTime ? null : 'spent')
  if (by === 'spent' && ascending !== true && !isTime) return null
  return { by, isTime, direction: (ascending ?? (by === null && !isTime)) ? 1 : -1 }
}

async function inOrder<Row extends Summed>(rows: readonly Row[], { by, direction, isTime }: Order, language: Language) {
  const collator = new Intl.Collator(language, { numeric: true, sensitivity: 'base' })
  const byName = (a: Named, b: Named) =>
    isTime ? (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) : collator.compare(a.label, b.label) || (a.key < b.key ? -1 : 1)
  if (by === null) return rows.toSorted((a, b) => direction * byName(a, b))
  const figured = await mapInParts(rows, (row) => ({ row, figure: figuresOfSums(row.sums)[by] }))
  return figured.toSorted((a, b) => direction * (a.figure - b.figure) || byName(a.row, b.row)).map(({ row }) => row)
}
