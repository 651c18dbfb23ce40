import type { Readable } from 'node:stream'
import { BANNER_SIZES } from '../../../domain/campaign/content/options.ts'
import type { CampaignState } from '../../../domain/campaign/state.ts'
import { STATUS } from '../../../domain/campaign/status/status.ts'
import type { Fault } from '../../../domain/kit/errors.ts'
import {
  figuresOf,
  GRANULARITY,
  METRICS,
  NOTHING_COUNTED,
  REPORT_DEVICES,
  type Figures,
} from '../../../domain/figures/figures.ts'
import { anyCampaign, everyCampaign } from '../../../projections/campaign-list/queries.ts'
import type { ListInput } from '../../contract/campaign-list.ts'
import type { DayRow, ReportInput } from '../../contract/reports.ts'
import { refused } from '../../kit/refused.ts'
import type { Caller } from '../../kit/caller.ts'
import { readableCampaign, type CampaignKit } from '../../kit/campaigns/readable-campaign.ts'
import { createCsv, streamCsv } from '../../kit/csv.ts'
import { statusesOf, readableSpace } from '../../kit/campaigns/lists.ts'
import { periodOf } from '../../kit/period.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Most rows: a year of hours, or the same number of days. */
const MOST_POINTS = 8_784
const MOST_DAYS = 3_660
const ADMIN_PAGE = 14

/** Reports of one campaign, and of an account. Their shape is final; until delivery is recorded their figures are zero. */
export function createReportCalls(deps: CampaignKit) {
  async function report(caller: Caller, input: ReportInput) {
    await readableCampaign(deps, caller, input.id)
    const metrics = checked(input)
    const { from, to } = periodOf(input)
    if (from === null || to === null) throw refused(2, [{ path: 'from_date', code: 2, message: 'Field is required.' }])
    const step = input.granularity_type_key === GRANULARITY.hours ? HOUR_MS : DAY_MS
    const first = Math.floor(Date.parse(from) / step) * step
    const length = Math.floor((Date.parse(to) - first) / step) + 1
    if (length > MOST_POINTS)
      throw refused(2, [
        { path: 'from_date', code: 2, message: `A report has at most ${MOST_POINTS} points: ask for a shorter period` },
      ])
    const values = only(metrics, figuresOf(NOTHING_COUNTED))
    return { points: Array.from({ length }, (_, i) => ({ name: first + i * step, values })), totals: values }
  }

  async function days(caller: Caller, id: string, admin: boolean): Promise<readonly DayRow[]> {
    const { state } = await readableCampaign(deps, caller, id, admin ? 'campaign.admin-list' : 'campaign.read')
    return daysSince(state, deps.now())
  }

  return {
    report,

    /** Zero until delivery is recorded. */
    async total(caller: Caller, id: string) {
      const { space_id: spaceId } = await readableCampaign(deps, caller, id)
      const account = await deps.accounts.opened(spaceId)
      return {
        current_period_clicks: 0,
        current_period_impressions: 0,
        current_period_spent: 0,
        currency: account?.currency ?? 'USD',
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
      return { current_page: page, page_size: size, total_size: rows.length, data: [...data] }
    },

    async reportCsv(caller: Caller, input: ReportInput): Promise<string> {
      const { points } = await report(caller, input)
      const metrics = checked(input)
      const by = input.granularity_type_key === GRANULARITY.hours ? 'Hour' : 'Date'
      const moment = (name: number) => new Date(name).toISOString().slice(0, by === 'Hour' ? 16 : 10)
      return createCsv(
        [by, ...metrics.map((metric) => TITLES[metric])],
        points.map(({ name, values }) => [moment(name), ...metrics.map((metric) => values[metric] ?? 0)]),
      )
    },

    /** One row per source with delivery. */
    async trafficSourceCsv(caller: Caller, input: ReportInput): Promise<string> {
      await report(caller, input)
      const metrics = checked(input)
      return createCsv(['Exchange', 'Publisher', 'App or site', ...metrics.map((metric) => TITLES[metric])], [])
    },

    async accountCsv(caller: Caller, input: ListInput): Promise<Readable> {
      periodOf(input)
      const reach = await readableSpace(deps, caller, input.space_id)
      if (!(await anyCampaign(deps.db, reach))) throw refused(111)
      const filter = { reach, name: input.name?.trim() || null, statuses: statusesOf(input.status_filter) }
      const none = figuresOf(NOTHING_COUNTED)
      async function* lines() {
        for await (const campaigns of everyCampaign(deps.db, filter))
          yield campaigns.map((row) => [
            row.name,
            sentence(STATUS[row.status_key as keyof typeof STATUS]),
            row.campaign_start_at?.slice(0, 10) ?? '',
            ...ACCOUNT_METRICS.map((metric) => none[metric]),
          ])
      }
      return streamCsv(['Name', 'Status', 'Start date', ...ACCOUNT_METRICS.map((metric) => TITLES[metric])], lines())
    },
  }
}

const ACCOUNT_METRICS = ['impressions', 'cpm', 'clicks', 'cpc', 'ctr', 'conversions', 'cpa', 'cvr', 'spent'] as const
const TITLES: Readonly<Record<keyof Figures, string>> = {
  impressions: 'Impressions',
  clicks: 'Clicks',
  conversions: 'Conversions',
  conversions_unique_bid: 'Unique conversions',
  spent: 'Spent',
  ctr: 'CTR',
  cpm: 'CPM',
  cpc: 'CPC',
  cvr: 'CVR',
  cpa: 'CPA',
}

const sentence = (key: string): string => `${key[0]?.toUpperCase() ?? ''}${key.slice(1).replaceAll('_', ' ')}`

const only = (metrics: readonly (keyof Figures)[], figures: Figures): Record<string, number> =>
  Object.fromEntries(metrics.map((metric) => [metric, figures[metric]]))

/** The requested metrics. Every filter is validated, although there is nothing to filter yet. */
function checked(input: ReportInput): readonly (keyof Figures)[] {
  const { granularity_type_key: granularity, device_type_key: device, visual_size_key: size } = input
  if (granularity !== null && granularity !== undefined && granularity !== GRANULARITY.hours && granularity !== GRANULARITY.days)
    throw refused(150, [{ path: 'granularity_type_key', code: 150, message: 'Report mode not supported' }])
  const faults: Fault[] = []
  const wrong = (path: string) =>
    faults.push({ path, code: 2, message: 'This value is not one of those allowed', key: 'notAllowed' })
  if (device !== null && device !== undefined && !(REPORT_DEVICES as readonly number[]).includes(device)) wrong('device_type_key')
  if (size !== null && size !== undefined && size !== 1 && !BANNER_SIZES.some(({ key }) => key === size)) wrong('visual_size_key')
  if (input.tz_offset_seconds) wrong('tz_offset_seconds')
  const asked = input.included_metrics ?? METRICS
  const metrics = METRICS.filter((metric) => asked.includes(metric))
  if (metrics.length < new Set(asked).size) wrong('included_metrics')
  if (faults.length > 0) throw refused(2, faults)
  return metrics
}

/** UTC days from the first launch to today, newest first. */
function daysSince({ launched }: CampaignState, now: string): readonly DayRow[] {
  if (launched === null) return []
  const last = Math.floor(Date.parse(now) / DAY_MS)
  const first = Math.max(Math.floor(Date.parse(launched) / DAY_MS), last - MOST_DAYS + 1)
  const { conversions_unique_bid: _unique, ...figures } = figuresOf(NOTHING_COUNTED)
  return Array.from({ length: last - first + 1 }, (_, i) => ({
    date: new Date((last - i) * DAY_MS).toISOString().slice(0, 10),
    ...figures,
    today_spent: 0,
  }))
}
