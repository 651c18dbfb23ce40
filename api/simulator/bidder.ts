import { auction, offerFrom, type BiddingCampaign, type Draw, type Offer, type Place, type Won } from '#domain/delivery/auction'
import type { TrafficEntry } from '#domain/campaign/content/content'
import { EXCHANGES } from '#domain/campaign/content/options'
import { reached } from '#domain/estimates/audience'
import { both, everybody, type People } from '#domain/estimates/panel'
import { reachedBy } from '#domain/estimates/placement'
import { fromMicros, toMicros } from '#domain/kit/money'
import type { MarketOf } from './markets.ts'
import type { SegmentsOf } from './segments.ts'
import type { Deliverables, SentRow } from './product-client.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Shares of impressions, and of clicks, in which something follows. */
const CLICKS = 0.008
const CONVERSIONS = 0.05
const BOUNCES = 0.4
const ENGAGEMENTS = 0.03
/** The market of campaigns without a country. */
const ANYWHERE = 'US'

/** A deliverable campaign as the auction knows it. */
export function biddingOf(
  { id, budget_left, in_schedule, creatives, content }: Deliverables[number],
  segments: People,
): BiddingCampaign {
  const sizes = new Map(content.visuals.banners.map((banner) => [banner.id, `${banner.width}x${banner.height}`]))
  const capped = content.freq_and_scheduling_on
  const cap = (period: '1' | '2' | '3') => (capped ? (content.frequency_cap[period] ?? null) : null)
  const targeted = content.targeting_on && content.disregard_targeting !== true
  return {
    id,
    country: content.country,
    price: toMicros((content.manual_cpx ? content.user_cpx : content.cpx) ?? content.cpx ?? 0) ?? 0,
    inSchedule: in_schedule,
    left: toMicros(budget_left) ?? 0,
    creatives: Object.fromEntries(
      Object.entries(creatives).map(([exchange, ids]) => [exchange, ids.map((one) => ({ id: one, size: sizes.get(one) ?? '' }))]),
    ),
    people: both(targeted ? both(reached(content.targeting), segments) : everybody(), reachedBy(content.placement)),
    rules: rulesOf(content.traffic_targeting),
    caps: [cap('1'), cap('2'), cap('3')],
  }
}

const tagsOf = ({ audiences }: Deliverables[number]): string => audiences.map(({ etag }) => etag).join(' ')

function rulesOf(text: string | undefined): readonly TrafficEntry[] {
  const parsed: unknown = text === undefined || text === '' ? [] : JSON.parse(text)
  return Array.isArray(parsed) ? parsed : []
}

/** Most bid requests of a round that are sampled for the rule lab. */
const SAMPLED = 20

export type Played = {
  readonly offers: number
  readonly sampled: readonly Offer['request'][]
  readonly rows: readonly SentRow[]
}

/** Plays auctions among the campaigns that may serve, and sums what was delivered into rows. It remembers what each person saw. */
export type BidderDeps = { readonly draw: Draw; readonly marketOf: MarketOf; readonly segmentsOf: SegmentsOf }

export function createBidder({ draw, marketOf, segmentsOf }: BidderDeps) {
  const seen = new Map<string, number[]>()
  const bidding = new Map<string, { readonly from: Deliverables[number]; readonly campaign: BiddingCampaign }>()

  /** A campaign's people are computed once for each of its revisions, and of its audiences. */
  async function campaignsOf(deliverables: Deliverables): Promise<BiddingCampaign[]> {
    const known = new Map(bidding)
    bidding.clear()
    return Promise.all(
      deliverables.map(async (from) => {
        const before = known.get(from.id)
        const isSame = before !== undefined && before.from.revision === from.revision && tagsOf(before.from) === tagsOf(from)
        const campaign = isSame
          ? { ...before.campaign, left: toMicros(from.budget_left) ?? 0, inSchedule: from.in_schedule }
          : biddingOf(from, await segmentsOf(from.content.targeting.segment_audiences, from.audiences))
        bidding.set(from.id, { from, campaign })
        return campaign
      }),
    )
  }

  const timesOf = (time: number) => (campaignId: string, person: number) => {
    const times = seen.get(`${campaignId} ${person}`) ?? []
    const within = (days: number) => times.filter((at) => at > time - days * DAY_MS).length
    return [within(1), within(7), within(30)] as const
  }

  return async (deliverables: Deliverables, offers: number, time: number): Promise<Played> => {
    const campaigns = await campaignsOf(deliverables)
    const countries = [...new Set(campaigns.map(({ country }) => country ?? ANYWHERE))]
    const markets = await Promise.all(countries.map(async (country) => ({ country, ...(await marketOf(country)) })))
    const places = markets.flatMap(({ country, cities }): Place[] => cities.map((city) => ({ country, ...city })))
    const apps = markets[0]?.apps ?? []
    const hour = new Date(Math.floor(time / HOUR_MS) * HOUR_MS).toISOString()
    const rows = new Map<string, Summed>()
    const sampled: Offer['request'][] = []
    for (let n = 0; n < offers; n++) {
      const offer = offerFrom(draw, { exchanges: EXCHANGES, places, apps })
      if (offer !== null && sampled.length < SAMPLED) sampled.push(offer.request)
      const won = offer === null ? null : auction(offer, campaigns, timesOf(time), draw)
      if (offer === null || won === null) continue
      const at = campaigns.indexOf(won.campaign)
      campaigns[at] = { ...won.campaign, left: won.campaign.left - won.price }
      const key = `${won.campaign.id} ${offer.person}`
      seen.set(key, [...(seen.get(key) ?? []), time])
      const clicked = draw() < CLICKS
      add(rows, rowOf(won, offer, hour), clicked)
    }
    return {
      offers,
      sampled,
      rows: [...rows.values()].map((row) => ({ ...row, spent: fromMicros(row.spent) })),
    }
  }

  type Summed = SentRow & { spent: number; impressions: number; clicks: number; bids: number }

  function rowOf({ campaign, creative, price }: Won, offer: NonNullable<ReturnType<typeof offerFrom>>, hour: string): Summed {
    return {
      hour,
      campaign_id: campaign.id,
      creative_id: creative.id,
      size: creative.size,
      exchange: offer.exchange,
      publisher: offer.publisher,
      app_or_site: offer.app,
      device_type_key: offer.device_type_key,
      os: offer.os,
      country: offer.country,
      region: offer.region,
      city: offer.city,
      impressions: 1,
      clicks: 0,
      bids: 1,
      reach: 1,
      spent: price,
    }
  }

  function add(rows: Map<string, Summed>, row: Summed, clicked: boolean): void {
    const key = [row.campaign_id, row.creative_id, row.exchange, row.app_or_site, row.device_type_key, row.os, row.city].join(
      '\n',
    )
    const sum = rows.get(key) ?? { ...row, impressions: 0, bids: 0, reach: 0, spent: 0 }
    const converted = clicked && draw() < CONVERSIONS ? 1 : 0
    rows.set(key, {
      ...sum,
      impressions: sum.impressions + 1,
      bids: sum.bids + 1,
      reach: (sum.reach ?? 0) + 1,
      clicks: sum.clicks + (clicked ? 1 : 0),
      conversions: (sum.conversions ?? 0) + converted,
      unique_conversions: (sum.unique_conversions ?? 0) + converted,
      bounces: (sum.bounces ?? 0) + (clicked && draw() < BOUNCES ? 1 : 0),
      engagements: (sum.engagements ?? 0) + (draw() < ENGAGEMENTS ? 1 : 0),
      spent: sum.spent + row.spent,
    })
  }
}
