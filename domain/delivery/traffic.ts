import type { Micros } from '../kit/money.ts'
import { standing } from '../estimates/panel.ts'
import type { DeliveryRow } from './batch.ts'

/**
 * A model of an auction's outcome, for the demo and for `npm run simulate`: the same campaign, hour and seed give the same rows on every
 * machine. It reports what it simulates and nothing else: no rule of billing is in here.
 */

export type SimulatedCampaign = {
  readonly id: string
  readonly country: string | null
  /** Seconds east of UTC. */
  readonly timezone_offset_seconds: number
  /** Price of a thousand impressions, micros. */
  readonly cpm: Micros
  /** Average spend of the campaign a day when nothing stops it, micros. */
  readonly daily: Micros
  readonly creatives: readonly { readonly id: string; readonly size: string }[]
  readonly exchanges: readonly string[]
}

/** Parts of a country's traffic. */
export type Market = {
  readonly cities: readonly { readonly region: string; readonly city: string }[]
  readonly apps: readonly { readonly app_or_site: string; readonly publisher: string }[]
}

/** Share of a day's traffic by local hour: low at night, highest in the evening. Sums to 1. */
const BY_HOUR = normalized([2, 1, 1, 1, 1, 2, 3, 5, 6, 6, 6, 6, 7, 7, 6, 6, 6, 7, 8, 9, 10, 9, 7, 4])
/** Saturdays and Sundays sell less. */
const BY_WEEKDAY = [0.86, 1, 1.04, 1.05, 1.05, 1.07, 0.93]

const DEVICES = [
  { device_type_key: 5, os: 'Android', share: 0.52 },
  { device_type_key: 3, os: 'iOS', share: 0.22 },
  { device_type_key: 2, os: 'Windows', share: 0.14 },
  { device_type_key: 8, os: 'macOS', share: 0.07 },
  { device_type_key: 9, os: 'Other', share: 0.05 },
] as const

const HOUR_MS = 3_600_000

export type TrafficOptions = {
  readonly seed: string
  readonly market: Market
  /** Amount that may still be spent, micros. */
  readonly left: Micros
  /** Most rows. */
  readonly rows: number
}

/** Rows of one campaign in one hour, at most `left` micros; empty when it buys nothing. `hour` is the start of a UTC hour. */
export function trafficOf(
  campaign: SimulatedCampaign,
  hour: string,
  { seed, market, left, rows }: TrafficOptions,
): readonly DeliveryRow[] {
  const { id, creatives, exchanges, cpm, daily, timezone_offset_seconds: offset } = campaign
  if (creatives.length === 0 || exchanges.length === 0 || cpm <= 0) return []
  const local = new Date(Date.parse(hour) + offset * 1000)
  const draw = (what: string): number => standing(`${seed}/${id}/${hour}/${what}`)
  const weight = (BY_HOUR[local.getUTCHours()] ?? 0) * (BY_WEEKDAY[local.getUTCDay()] ?? 1) * (0.8 + 0.4 * draw('volume'))
  const budget = Math.min(left, Math.round(daily * weight))
  if (budget < cpm / 1000) return []
  const parts = normalized(Array.from({ length: rows }, (_, n) => 0.2 + draw(`part ${n}`)))
  return parts.flatMap((part, n) => {
    const about = (what: string) => draw(`${what} ${n}`)
    const impressions = Math.floor((budget * part * 1000) / cpm)
    if (impressions === 0) return []
    const creative = chosen(creatives, about('creative'))
    const device = chosenByShare(about('device'))
    const clicks = Math.floor(impressions * (0.002 + 0.012 * about('ctr')) + about('click'))
    const conversions = Math.floor(clicks * (0.01 + 0.06 * about('cvr')) + about('conversion'))
    const place = chosen(market.cities, about('city'))
    const app = chosen(market.apps, about('app'))
    const reach = Math.ceil(impressions * (0.55 + 0.3 * about('reach')))
    return [
      {
        hour: new Date(Math.floor(Date.parse(hour) / HOUR_MS) * HOUR_MS).toISOString(),
        campaign_id: id,
        creative_id: creative.id,
        size: creative.size,
        exchange: chosen(exchanges, about('exchange')),
        publisher: app.publisher,
        app_or_site: app.app_or_site,
        device_type_key: device.device_type_key,
        os: device.os,
        country: campaign.country ?? '',
        region: place.region,
        city: place.city,
        impressions,
        clicks: Math.min(clicks, impressions),
        conversions: Math.min(conversions, clicks),
        unique_conversions: Math.min(conversions, Math.ceil(conversions * 0.9)),
        conversions_unique_bid: Math.min(conversions, Math.ceil(conversions * 0.95)),
        bids: Math.ceil(impressions * (2.2 + 2 * about('bids'))),
        reach,
        bounces: Math.min(clicks, Math.floor(clicks * (0.25 + 0.3 * about('bounces')) + about('bounce'))),
        engagements: Math.floor(impressions * (0.01 + 0.03 * about('engagements'))),
        completed_views: 0,
        unconfirmed_conversions: 0,
        spent: Math.floor((impressions * cpm) / 1000),
      },
    ]
  })
}

/** A market of which nothing is known but its country. */
export const UNKNOWN_MARKET: Market = {
  cities: [{ region: '', city: '' }],
  apps: [{ app_or_site: '', publisher: '' }],
}

function normalized(weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

function chosen<T>(from: readonly T[], at: number): T {
  const found = from[Math.floor(at * from.length)] ?? from[0]
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}

function chosenByShare(at: number): (typeof DEVICES)[number] {
  let below = 0
  for (const device of DEVICES) {
    below += device.share
    if (at < below) return device
  }
  return DEVICES[0]
}
