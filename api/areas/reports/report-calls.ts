import type { Readable } from 'node:stream'
import { localDay } from '../../../domain/campaign/content/dates.ts'
import type { CampaignState } from '../../../domain/campaign/state.ts'
import { STATUS } from '../../../domain/campaign/status/status.ts'
import { figuresOf, NOTHING_COUNTED, type Metric } from '../../../domain/figures/figures.ts'
import { fromMicros } from '../../../domain/kit/money.ts'
import type { FactStore, FactSums } from '../../../factstore/fact-store.ts'
import { spendOf } from '../../../projections/campaign-list/money-queries.ts'
import { anyCampaign, everyCampaign } from '../../../projections/campaign-list/queries.ts'
import type { ListInput } from '../../contract/campaign-list.ts'
import type { DayRow, ReportInput } from '../../contract/reports.ts'
import { refused } from '../../kit/refused.ts'
import type { Caller } from '../../kit/caller.ts'
import { readableCampaign, type CampaignKit } from '../../kit/campaigns/readable-campaign.ts'
import { streamCsv } from '../../kit/csv.ts'
import { spooled } from '../../kit/spooled.ts'
import { figuresOfSums, freshness, only, scopeOf } from '../../kit/figures.ts'
import { statusesOf, readableSpace } from '../../kit/campaigns/lists.ts'
import { periodOf } from '../../kit/period.ts'
import { pointsOf, readMetrics, readReport, type ReportRequest } from './report-input.ts'

const DAY_MS = 86_400_000
const MOST_DAYS = 3_660
const ADMIN_PAGE = 14
/** Lines of CSV in one piece. */
const LINES_AT_ONCE = 500

/** Reports of one campaign, and of an account as CSV. Facts of delivery are their only source. */
export function createReportCalls(deps: CampaignKit) {
  const { facts } = deps

  async function report(caller: Caller, input: ReportInput) {
    await readableCampaign(deps, caller, input.id)
    const request = readReport(input)
    const filter = { ...request.filter, scope: { kind: 'campaigns', ids: [input.id] } as const }
    const [series, totals] = await Promise.all([facts.series(filter, request.step), facts.totals(filter)])
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
      await readableCampaign(deps, caller, input.id)
      const request = readReport(input)
      const { filter, metrics, step } = request
      const sums = byStart(await facts.series({ ...filter, scope: { kind: 'campaigns', ids: [input.id] } }, step))
      const moment = (start: number) => new Date(start).toISOString().slice(0, step === 'hour' ? 16 : 10)
      const lineOf = (start: number) => {
        const figures = figuresAt(sums, start)
        return [moment(start), ...metrics.map((metric) => figures[metric])]
      }
      const starts = pointsOf(request, (start) => start).map(({ name }) => name)
      async function* lines() {
        for (let at = 0; at < starts.length; at += LINES_AT_ONCE) yield starts.slice(at, at + LINES_AT_ONCE).map(lineOf)
      }
      return streamCsv([step === 'hour' ? 'Hour' : 'Date', ...metrics.map((metric) => TITLES[metric])], lines())
    },

    /** One row per source with delivery, the most spent first. */
    async trafficSourceCsv(caller: Caller, input: ReportInput): Promise<Readable> {
      await readableCampaign(deps, caller, input.id)
      const { filter, metrics } = readReport(input)
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

    async accountCsv(caller: Caller, input: ListInput): Promise<Readable> {
      const { from, to } = periodOf(input)
      const metrics = metricsIn(input)
      const reach = await readableSpace(deps, caller, input.space_id)
      if (!(await anyCampaign(deps.db, reach))) throw refused(111)
      const filter = { reach, name: input.name?.trim() || null, statuses: statusesOf(input.status_filter) }
      const sums = await facts.byCampaign({ scope: scopeOf(reach), from, to })
      async function* lines() {
        for await (const campaigns of everyCampaign(deps.db, filter))
          yield campaigns.map((row) => {
            const figures = figuresIn(sums.get(row.id))
            return [
              row.name,
              sentence(STATUS[row.status_key as keyof typeof STATUS]),
              row.campaign_start_at?.slice(0, 10) ?? '',
              ...metrics.map((metric) => figures[metric]),
            ]
          })
      }
      return streamCsv(['Name', 'Status', 'Start date', ...metrics.map((metric) => TITLES[metric])], lines())
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

const DAY_METRICS = ['impressions', 'cpm', 'clicks', 'cpc', 'ctr', 'conversions', 'cpa', 'cvr', 'spent'] as const
const ACCOUNT_METRICS = DAY_METRICS

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
