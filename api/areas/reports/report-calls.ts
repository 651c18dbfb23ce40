import type { Served } from '#api/areas/services'
import type { Readable } from 'node:stream'
import { localDay } from '#domain/campaign/content/dates'
import type { CampaignState } from '#domain/campaign/state'
import { STATUS } from '#domain/campaign/status/status-keys'
import { figuresOf, NOTHING_COUNTED, type Metric } from '#domain/reports/figures'
import { fromMicros } from '#domain/kit/money'
import { dayIn } from '#domain/kit/time-zone'
import type { FactStore, FactSums } from '#factstore/fact-store'
import { spendOf } from '#projections/campaign/list/money-queries'
import { anyCampaign, everyCampaign } from '#projections/campaign/list/queries'
import type { ListInput } from '#contract/campaign-list'
import type { DayRow, ReportInput } from '#contract/reports'
import { refused } from '#commands/refused'
import type { Caller } from '#api/http/caller'
import { readableCampaign } from '../campaign/readable-campaign.ts'
import { streamCsv } from '#api/http/csv'
import { spooled } from '#api/http/spooled'
import { figuresOfSums, freshness, only, scopeOf } from '#commands/reports/figures'
import { readableSpace, readableSpaces, statusesOf, labelIdsOf } from '../campaign/lists.ts'
import { periodOf } from '#api/http/period'
import { pointsOf, readMetrics, readReport, type ReportRequest } from './report-input.ts'
import { seriesOf, zoneFor } from './report-scope.ts'

const DAY_MS = 86_400_000
const MOST_DAYS = 3_660
const ADMIN_PAGE = 14
/** Lines of CSV in one piece. */
const LINES_AT_ONCE = 500

/** Reports of one campaign, and of an account as CSV. Facts of delivery are their only source. */
export function createReportCalls(deps: Served<'accounts' | 'db' | 'facts' | 'whiteLabels'>) {
  const { facts } = deps

  async function requested(caller: Caller, input: ReportInput): Promise<ReportRequest> {
    const { whitelabel_id: whitelabelId } = await readableCampaign(deps, caller, input.id)
    return readReport(input, undefined, zoneFor(deps, { whitelabelId }, input.days_of))
  }

  async function report(caller: Caller, input: ReportInput) {
    const request = await requested(caller, input)
    const filter = { ...request.filter, scope: { kind: 'campaigns', ids: [input.id] } as const }
    const [series, totals] = await Promise.all([seriesOf(facts, filter, request), facts.totals(filter)])
    return {
      points: pointsWith(request, series),
      totals: only(request.metrics, figuresOfSums(totals)),
      ...freshness(deps.now()),
    }
  }

  async function days(caller: Caller, id: string, admin: boolean): Promise<readonly DayRow[]> {
    const { state } = await readableCampaign(deps, caller, id, admin ? 'campaign.admin-list' : 'campaign.read')
    const now = deps.now()
    const first = firstDay(state, now)
    if (first === null) return []
    const filter = { scope: { kind: 'campaigns', ids: [id] }, from: new Date(first).toISOString(), to: null } as const
    const sums = byStart(await facts.series(filter, 'day'))
    const day = localDay(now, state.head.timezone_offset_seconds ?? 0)
    const [spend] = await spendOf(deps.db, [{ campaignId: id, localDay: day }])
    const last = Math.floor(Date.parse(now) / DAY_MS) * DAY_MS
    return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, i) => {
      const start = last - i * DAY_MS
      const row = only(DAY_METRICS, figuresAt(sums, start)) as Omit<DayRow, 'date' | 'today_spent'>
      const date = new Date(start).toISOString().slice(0, 10)
      return { date, ...row, today_spent: date === day ? fromMicros(spend?.today ?? 0) : 0 }
    })
  }

  return {
    report,

    async total(caller: Caller, id: string) {
      const { space_id: spaceId } = await readableCampaign(deps, caller, id)
      const account = await deps.accounts.opened(spaceId)
      const sums = await facts.totals({ scope: { kind: 'campaigns', ids: [id] }, from: null, to: null })
      return {
        current_period_clicks: sums.clicks,
        current_period_impressions: sums.impressions,
        current_period_spent: fromMicros(sums.spent),
        currency: account?.currency ?? 'USD',
        ...freshness(deps.now()),
      }
    },

    /** The part of each hour's impressions that its share of uncharged money stands for. */
    async overDelivery(caller: Caller, id: string) {
      const { space_id: spaceId } = await readableCampaign(deps, caller, id)
      const account = await deps.accounts.opened(spaceId)
      const hours = await facts.series({ scope: { kind: 'campaigns', ids: [id] }, from: null, to: null }, 'hour')
      const beyond = hours.filter(({ sums }) => sums.overdelivered > 0)
      return {
        impressions: beyond.reduce(
          (sum, { sums }) => sum + Math.round((sums.impressions * sums.overdelivered) / (sums.spent + sums.overdelivered)),
          0,
        ),
        amount: fromMicros(beyond.reduce((sum, { sums }) => sum + sums.overdelivered, 0)),
        currency: account?.currency ?? 'USD',
        ...freshness(deps.now()),
      }
    },

    list: (caller: Caller, id: string) => days(caller, id, false),

    async adminReport(
      caller: Caller,
      id: string,
      input: {
        readonly page?: number | null | undefined
        readonly pageSize?: number | null | undefined
        readonly page_size?: number | null | undefined
      },
    ) {
      const rows = await days(caller, id, true)
      const size = Math.min(150, Math.max(1, input.pageSize ?? input.page_size ?? ADMIN_PAGE))
      const page = Math.max(1, input.page ?? 1)
      const data = rows.slice((page - 1) * size, page * size)
      return { current_page: page, page_size: size, total_size: rows.length, data: [...data], ...freshness(deps.now()) }
    },

    async reportCsv(caller: Caller, input: ReportInput): Promise<Readable> {
      const request = await requested(caller, input)
      const { filter, metrics, step, zone } = request
      const sums = byStart(await seriesOf(facts, { ...filter, scope: { kind: 'campaigns', ids: [input.id] } }, request))
      const moment = (start: number) => (step === 'hour' ? new Date(start).toISOString().slice(0, 16) : dayIn(start, zone))
      const lineOf = (start: number) => {
        const figures = figuresAt(sums, start)
        return [moment(start), ...metrics.map((metric) => figures[metric])]
      }
      const { starts } = request
      async function* lines() {
        for (let at = 0; at < starts.length; at += LINES_AT_ONCE) yield starts.slice(at, at + LINES_AT_ONCE).map(lineOf)
      }
      return streamCsv([step === 'hour' ? 'Hour' : 'Date', ...metrics.map((metric) => TITLES[metric])], lines())
    },

    /** One row per source with delivery, the most spent first. */
    async trafficSourceCsv(caller: Caller, input: ReportInput): Promise<Readable> {
      const { filter, metrics } = await requested(caller, input)
      const sources = facts.sources({ ...filter, scope: { kind: 'campaigns', ids: [input.id] } })
      async function* lines() {
        for await (const page of sources)
          yield page.map(({ exchange, publisher, app_or_site, sums }) => {
            const figures = figuresOfSums(sums)
            return [exchange, publisher, app_or_site, ...metrics.map((metric) => figures[metric])]
          })
      }
      // The source holds a connection until its end.
      return spooled(streamCsv(['Exchange', 'Publisher', 'App or site', ...metrics.map((metric) => TITLES[metric])], lines()))
    },

    async accountCsv(
      caller: Caller,
      input: ListInput & { readonly include_labels?: boolean | null | undefined },
    ): Promise<Readable> {
      const { from, to } = periodOf(input)
      const withLabels = input.include_labels === true
      const metrics = metricsIn(input)
      const reach = await readableSpace(deps, caller, input.space_id)
      if (!(await anyCampaign(deps.db, reach))) throw refused(111)
      const filter = {
        reach,
        spaceIds: await readableSpaces(deps, caller, input.space_ids),
        name: input.name?.trim() || null,
        statuses: statusesOf(input.status_filter),
        labels: labelIdsOf(input),
      }
      const sums = await facts.byCampaign({ scope: scopeOf(reach), from, to })
      async function* lines() {
        for await (const campaigns of everyCampaign(deps.db, filter))
          yield campaigns.map((row) => {
            const figures = figuresIn(sums.get(row.id))
            return [
              row.id,
              row.name,
              row.space_name,
              sentence(STATUS[row.status_key as keyof typeof STATUS]),
              dayOf(row.campaign_start_at, row),
              dayOf(row.campaign_end_at, row),
              row.goal ?? '',
              row.currency,
              row.budget === null ? '' : fromMicros(Number(row.budget)),
              row.budget_type_key === 1 ? 'In all' : 'A day',
              ...(withLabels ? [row.labels] : []),
              ...metrics.map((metric) => figures[metric]),
            ]
          })
      }
      const columns = [...LIST_COLUMNS, ...(withLabels ? ['Labels'] : []), ...metrics.map((metric) => TITLES[metric])]
      return streamCsv(columns, lines())
    },
  }
}

type Series = Awaited<ReturnType<FactStore['series']>>

const byStart = (series: Series): ReadonlyMap<number, FactSums> => new Map(series.map(({ start, sums }) => [start, sums]))

const NO_FIGURES = figuresOf(NOTHING_COUNTED)
const figuresIn = (sums: FactSums | undefined) => (sums === undefined ? NO_FIGURES : figuresOfSums(sums))
const figuresAt = (sums: ReadonlyMap<number, FactSums>, start: number) => figuresIn(sums.get(start))

/** Every point of the period; those without facts are zero. */
export function pointsWith(request: ReportRequest, series: Series) {
  const sums = byStart(series)
  return pointsOf(request, (start) => only(request.metrics, figuresAt(sums, start)))
}

const DAY_METRICS = [
  'impressions',
  'cpm',
  'clicks',
  'cpc',
  'ctr',
  'conversions',
  'cpa',
  'cvr',
  'spent',
  'unconfirmed_conversions',
] as const
const ACCOUNT_METRICS = DAY_METRICS
/** The day in the campaign's zone, as its form shows it; empty without one. */
const dayOf = (
  instant: string | null,
  { timezone_offset_seconds }: { readonly timezone_offset_seconds: number | null },
): string => (instant === null ? '' : localDay(instant, timezone_offset_seconds ?? 0))

/** Columns that describe a campaign, before its figures. */
const LIST_COLUMNS = [
  'Id',
  'Name',
  'Account',
  'Status',
  'Start date',
  'End date',
  'Goal',
  'Currency',
  'Budget',
  'Budget type',
] as const

const TITLES: Readonly<Record<Metric, string>> = {
  impressions: 'Impressions',
  clicks: 'Clicks',
  conversions: 'Conversions',
  conversions_unique_bid: 'Conversions by unique bid',
  unique_conversions: 'Unique conversions',
  spent: 'Spent',
  bids: 'Bids',
  reach: 'Reach (sum of reported)',
  bounces: 'Bounces',
  engagements: 'Engagements',
  completed_views: 'Completed views',
  unconfirmed_conversions: 'Unconfirmed conversions',
  ctr: 'CTR',
  cpm: 'CPM',
  cpc: 'CPC',
  cvr: 'CVR',
  cpa: 'CPA',
  cpcv: 'CPCv',
  win_rate: 'Win rate',
  bounce_rate: 'Bounce rate',
  engagement_rate: 'Engagement rate',
}

function metricsIn({ included_metrics: asked }: ListInput): readonly Metric[] {
  const metrics = readMetrics(asked, ACCOUNT_METRICS)
  if (metrics === null)
    throw refused(2, [
      { path: 'included_metrics', code: 2, message: 'This value is not one of those allowed', key: 'notAllowed' },
    ])
  return metrics
}

const sentence = (key: string): string => `${key[0]?.toUpperCase() ?? ''}${key.slice(1).replaceAll('_', ' ')}`

/** The UTC day of the first launch, epoch milliseconds, at most ten years back; null before it. */
function firstDay({ launched }: CampaignState, now: string): number | null {
  if (launched === null) return null
  const last = Math.floor(Date.parse(now) / DAY_MS)
  return Math.max(Math.floor(Date.parse(launched) / DAY_MS), last - MOST_DAYS + 1) * DAY_MS
}
