import type { TrafficEntry } from '../campaign/content/content.ts'
import { bidOf } from '../bidding/evaluate.ts'
import { factsOf, type BidRequest, type Imp } from '../bidding/impression.ts'
import { ANDROID } from '../estimates/placement.ts'
import { between, PANEL_SIZE, remembered, type People } from '../estimates/panel.ts'
import { MICROS, type Micros } from '../kit/money.ts'

/**
 * A model of auctions for `npm run simulate`: people of the panel that estimates use see impressions, and campaigns bid for them by their rules.
 * Pure: the same draws give the same outcome on every machine.
 */

/** A campaign that bids. */
export type BiddingCampaign = {
  readonly id: string
  /** ISO 3166-1; null for every country. */
  readonly country: string | null
  /** Price of a thousand impressions before multipliers, micros. */
  readonly price: Micros
  readonly inSchedule: boolean
  /** Amount that may still be spent, micros. */
  readonly left: Micros
  /** Creatives by the exchange that approved them. */
  readonly creatives: Readonly<Record<string, readonly { readonly id: string; readonly size: string }[]>>
  /** People that its targeting and its placement reach. */
  readonly people: People
  /** Bidding rules, in order. */
  readonly rules: readonly TrafficEntry[]
  /** Most impressions for one person in a day, a week and a month; null is any number. */
  readonly caps: readonly [day: number | null, week: number | null, month: number | null]
}

/** One impression that is offered, to one person. */
export type Offer = {
  readonly person: number
  readonly country: string
  readonly region: string
  readonly city: string
  readonly exchange: string
  readonly publisher: string
  readonly app: string
  readonly device_type_key: number
  readonly os: string
  /** Lowest price that wins, micros for a thousand. */
  readonly floor: Micros
  readonly request: BidRequest
}

export type Place = { readonly country: string; readonly region: string; readonly city: string }
export type App = { readonly app_or_site: string; readonly publisher: string }

/** A number in [0, 1), another one with each call. */
export type Draw = () => number

/** Numbers that depend on the seed alone. */
export function drawsOf(seed: string): Draw {
  let state = [...seed].reduce((hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193), 0x811c9dc5)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const SIZES = ['320x50', '300x250', '728x90', '300x600', '160x600'] as const
const CONNECTIONS = [2, 6, 5, 4] as const
/** Part of the impressions that are on phones. */
const ON_PHONES = 0.8
const LOWEST_FLOOR: Micros = 0.02 * MICROS
const FLOORS: Micros = 0.2 * MICROS

const androids = (): People => remembered('android', () => between('device', 0, ANDROID))
const isAmong = (people: People, person: number): boolean => (((people[person >>> 5] ?? 0) >>> (person & 31)) & 1) === 1

export type Offering = { readonly exchanges: readonly string[]; readonly places: readonly Place[]; readonly apps: readonly App[] }

/** The next offer; null without a place, an app or an exchange. */
export function offerFrom(draw: Draw, { exchanges, places, apps }: Offering): Offer | null {
  const place = oneOf(draw, places)
  const app = oneOf(draw, apps)
  const exchange = oneOf(draw, exchanges)
  if (place === null || app === null || exchange === null) return null
  const person = Math.floor(draw() * PANEL_SIZE)
  const isPhone = draw() < ON_PHONES
  const isAndroid = isAmong(androids(), person)
  const os = isPhone ? (isAndroid ? 'Android' : 'iOS') : draw() < 0.7 ? 'Windows' : 'macOS'
  const size = oneOf(draw, SIZES) ?? SIZES[0]
  const [w = 0, h = 0] = size.split('x').map(Number)
  const floor = Math.round(LOWEST_FLOOR + draw() ** 2 * FLOORS)
  const imp: Imp = { id: '1', banner: { w, h, pos: draw() < 0.6 ? 1 : 3 }, native: {}, video: { w, h }, bidfloor: floor / MICROS }
  const publisher = isPhone ? { app: { bundle: app.app_or_site } } : { site: { domain: app.app_or_site } }
  return {
    ...place,
    person,
    exchange,
    publisher: app.publisher,
    app: app.app_or_site,
    device_type_key: isPhone ? (isAndroid ? 5 : 3) : 2,
    os,
    floor,
    request: {
      ...publisher,
      imp: [imp],
      device: { os, connectiontype: oneOf(draw, CONNECTIONS) ?? 2, ip: `198.51.100.${Math.floor(draw() * 256)}` },
      ext: { exchange },
    },
  }
}

export type Won = {
  readonly campaign: BiddingCampaign
  readonly creative: { readonly id: string; readonly size: string }
  /** Cost of the impression, micros. */
  readonly price: Micros
  /** How many campaigns bid. */
  readonly bids: readonly string[]
}

/** How often one person saw one campaign: in the last day, week and month. */
export type Seen = (campaignId: string, person: number) => readonly [day: number, week: number, month: number]

/**
 * The campaign that wins an offer and what it pays: its own bid or just enough to win. Campaigns bid that may serve now, reach the person, approved
 * creatives for the exchange, are below their caps, and whose rules do not say no. Null when nobody reaches the floor.
 */
export function auction(offer: Offer, campaigns: readonly BiddingCampaign[], seen: Seen, draw: Draw): Won | null {
  const [imp] = offer.request.imp
  if (imp === undefined) return null
  const bids = campaigns.flatMap((campaign) => {
    const creative = mayBid(campaign, offer, seen) ? oneOf(draw, campaign.creatives[offer.exchange] ?? []) : null
    if (creative === null) return []
    const [day] = seen(campaign.id, offer.person)
    const request = { ...offer.request, user: { ext: { impressions_1d: day } } }
    const bid = Math.round(campaign.price * bidOf(campaign.rules, factsOf(request, imp)).multiplier)
    return bid > 0 && bid >= offer.floor ? [{ campaign, creative, bid, tie: draw() }] : []
  })
  const [best, second] = bids.toSorted((a, b) => b.bid - a.bid || a.tie - b.tie)
  if (best === undefined) return null
  const price = Math.floor(Math.min(best.bid, Math.max(offer.floor, second?.bid ?? 0) + 1000) / 1000)
  if (price > best.campaign.left) return null
  return { campaign: best.campaign, creative: best.creative, price, bids: bids.map(({ campaign }) => campaign.id) }
}

function mayBid(campaign: BiddingCampaign, { country, exchange, person }: Offer, seen: Seen): boolean {
  if (!campaign.inSchedule || campaign.left <= 0) return false
  if (campaign.country !== null && campaign.country !== country) return false
  if ((campaign.creatives[exchange] ?? []).length === 0 || !isAmong(campaign.people, person)) return false
  const times = seen(campaign.id, person)
  return campaign.caps.every((cap, n) => cap === null || (times[n] ?? 0) < cap)
}

const oneOf = <T>(draw: Draw, from: readonly T[]): T | null => from[Math.floor(draw() * from.length)] ?? null
