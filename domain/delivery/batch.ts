import { localDay } from '../campaign/content/dates.ts'
import type { Fault } from '../kit/errors.ts'
import type { Micros } from '../kit/money.ts'

/** Delivered facts as bidders report them: one row per hour and combination of dimensions (running.md "For bidders and exchanges"). */

export const MEASURES = [
  'impressions',
  'clicks',
  'conversions',
  'unique_conversions',
  'conversions_unique_bid',
  'bids',
  'reach',
  'bounces',
  'engagements',
  'completed_views',
  'unconfirmed_conversions',
] as const
export type Measure = (typeof MEASURES)[number]

export const DIMENSIONS = [
  'creative_id',
  'size',
  'exchange',
  'publisher',
  'app_or_site',
  'device_type_key',
  'os',
  'country',
  'region',
  'city',
] as const
export type Dimension = (typeof DIMENSIONS)[number]

/** One row. `hour` is the start of a UTC hour, ISO 8601; `spent` is what was spent in that hour, in micros of the account's currency. */
export type DeliveryRow = {
  readonly hour: string
  readonly campaign_id: string
  readonly spent: Micros
} & { readonly [dimension in Exclude<Dimension, 'device_type_key'>]: string } & { readonly device_type_key: number } & {
  readonly [measure in Measure]: number
}

/** A row with its account, and with its spend split into what is charged and what is not. */
export type Fact = DeliveryRow & {
  readonly space_id: string
  readonly whitelabel_id: string
  /** Charged, micros. `spent` on every screen is this amount (fine print 31). */
  readonly billed: Micros
  /** Beyond the budget in force, micros; never charged. */
  readonly overdelivered: Micros
}

/** Facts that a batch needs about a campaign. */
export type DeliveredCampaign = {
  readonly id: string
  readonly space_id: string
  readonly whitelabel_id: string
  readonly budget: Micros | null
  readonly budget_type_key: number
  readonly timezone_offset_seconds: number | null
  /** When it served, oldest first; `to` is null while it serves. ISO 8601. */
  readonly served: readonly { readonly from: string; readonly to: string | null }[]
}

/** Billed spend so far: in total, and by local day (YYYY-MM-DD). Micros. */
export type BilledBefore = { readonly total: Micros; readonly days: ReadonlyMap<string, Micros> }

const HOUR_MS = 3_600_000

/** The start of an hour as ISO 8601, or null for any other instant. */
export function readHour(value: string | number): string | null {
  const time = typeof value === 'number' ? value : /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isFinite(time) && time % HOUR_MS === 0 && Math.abs(time) < 8e15 ? new Date(time).toISOString() : null
}

/** Most clicks, and most conversions, of a row for each of its impressions; conversions of earlier impressions come on top. */
const MOST_PER_IMPRESSION = 10
const MOST_LATE = 1000
const BOUND = ['clicks', 'conversions', 'unique_conversions', 'conversions_unique_bid'] as const

/** Measures of a row that its impressions cannot explain. */
export const unlikelyMeasures = (
  row: Pick<DeliveryRow, 'impressions' | (typeof BOUND)[number]>,
): readonly (typeof BOUND)[number][] =>
  BOUND.filter((measure) => row[measure] > MOST_PER_IMPRESSION * row.impressions + (measure === 'clicks' ? 0 : MOST_LATE))

/**
 * Faults of rows against their campaigns: an unknown campaign, one that did not serve at any moment of the hour, an hour that has
 * not begun (fine print 31 and 40). Paths name the row, counting from zero.
 */
export function batchFaults(
  rows: readonly Pick<DeliveryRow, 'hour' | 'campaign_id'>[],
  campaigns: ReadonlyMap<string, DeliveredCampaign>,
  now: string,
  oldest = '',
): readonly Fault[] {
  const faults: Fault[] = []
  const judged = new Map<string, string | null>()
  for (const [i, { hour, campaign_id: id }] of rows.entries()) {
    if (hour > now) faults.push({ path: `rows[${i}].hour`, code: 2, message: 'The hour has not begun yet' })
    // A repeat of a batch that is forgotten would count again (fine print 40).
    if (hour < oldest) faults.push({ path: `rows[${i}].hour`, code: 2, message: 'The hour is older than batches are remembered' })
    const key = `${id} ${hour}`
    let message = judged.get(key)
    if (message === undefined) judged.set(key, (message = refusalOf(campaigns.get(id), hour)))
    if (message !== null) faults.push({ path: `rows[${i}].campaign_id`, code: 2, message })
  }
  return faults
}

function refusalOf(campaign: DeliveredCampaign | undefined, hour: string): string | null {
  if (campaign === undefined) return 'There is no campaign with this id'
  return hasServedIn(campaign, hour) ? null : 'The campaign did not serve in this hour'
}

/** True when a campaign served at any moment of the hour. */
export function hasServedIn({ served }: Pick<DeliveredCampaign, 'served'>, hour: string): boolean {
  const end = new Date(Date.parse(hour) + HOUR_MS).toISOString()
  return served.some(({ from, to }) => from < end && (to === null || to > hour))
}

/** The local day that a row belongs to: that of its hour's start. */
export const dayOf = (
  hour: string,
  { timezone_offset_seconds: offset }: Pick<DeliveredCampaign, 'timezone_offset_seconds'>,
): string => localDay(hour, offset ?? 0)

/**
 * Splits the spend of each row into billed and overdelivered, in the order of the rows: a campaign is charged until its budget in
 * force, of the local day or in total, is reached (fine print 31). A campaign without a budget is never charged.
 */
export function bill(
  rows: readonly DeliveryRow[],
  campaigns: ReadonlyMap<string, DeliveredCampaign>,
  before: ReadonlyMap<string, BilledBefore>,
): readonly Fact[] {
  const billedOf = new Map<string, Micros>()
  const days = new Map<string, string>()
  return rows.map((row) => {
    const campaign = campaigns.get(row.campaign_id)
    if (campaign === undefined) throw new Error(`no campaign ${row.campaign_id}`)
    const isTotal = campaign.budget_type_key === 1
    // Thousands of rows share a few hours.
    const at = `${campaign.timezone_offset_seconds} ${row.hour}`
    const day = days.get(at) ?? dayOf(row.hour, campaign)
    days.set(at, day)
    const key = isTotal ? campaign.id : `${campaign.id} ${day}`
    const known = before.get(campaign.id)
    const billed = billedOf.get(key) ?? (isTotal ? known?.total : known?.days.get(day)) ?? 0
    const charge = Math.min(row.spent, Math.max(0, (campaign.budget ?? 0) - billed))
    billedOf.set(key, billed + charge)
    return {
      ...row,
      space_id: campaign.space_id,
      whitelabel_id: campaign.whitelabel_id,
      billed: charge,
      overdelivered: row.spent - charge,
    }
  })
}
