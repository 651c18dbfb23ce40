import { CITY_PEOPLE } from './city-people.ts'
import { count, PANEL_SIZE, type People } from './panel.ts'

/** Version of the rules: raised whenever the same question gets another answer. */
export const METHOD_VERSION = '2'
/** Date of the population figures. */
export const AS_OF = '2026-11-21'

/** Share of urban people who use apps or sites with advertising. An assumption, the same for every country. */
const ONLINE = 0.6
/** Impressions that one of them can be shown per day. */
const CHANCES_A_DAY = 14
/** Bid per thousand impressions that wins half of the auctions, by currency; others as USD. */
const HALF_WON: Readonly<Record<string, number>> = { USD: 0.5, NGN: 650, AMD: 200 }
/** Minimal relative width of an estimate, beyond the sampling error. */
const FLOOR = 0.05

export type Estimate = {
  /** People. */
  readonly total: number
  readonly estimate: number
  readonly estimate_low: number
  readonly estimate_high: number
  /** A day. */
  readonly total_impressions: number
  readonly estimate_impressions: number
  readonly status: 'ok' | 'no_data'
  readonly method_version: string
  readonly as_of: string
}

/** People online in a country (ISO 3166-1 alpha-2), or in the world. 0 for a country without figures. */
export const peopleOnline = (country: string | null): number =>
  ONLINE *
  1000 *
  (country === null
    ? Object.values(CITY_PEOPLE).reduce((sum, thousands) => sum + thousands, 0)
    : (CITY_PEOPLE[country.toUpperCase()] ?? 0))

export type Market = {
  readonly country: string | null
  /** The share of the country's people who live in the targeted places, 0 to 1. */
  readonly reachable: number
  /** Price of a thousand impressions. */
  readonly cpm: number
  readonly currency: string
}

/** The estimate for a set of the panel (decisions G-162; docs/estimates.md). */
export function estimateOf(people: People, { country, reachable, cpm, currency }: Market): Estimate {
  const found = count(people)
  const part = found / PANEL_SIZE
  const population = peopleOnline(country) * Math.min(1, Math.max(0, reachable))
  const total = Math.round(population * part)
  const error = Math.max(FLOOR * total, 1.96 * population * Math.sqrt((part * (1 - part)) / PANEL_SIZE))
  const half = HALF_WON[currency] ?? 0.5
  const impressions = Math.round(total * CHANCES_A_DAY * (cpm / (cpm + half)))
  return {
    total,
    estimate: total,
    estimate_low: Math.max(0, Math.round(total - error)),
    estimate_high: Math.round(Math.min(population, total + error)),
    total_impressions: impressions,
    estimate_impressions: impressions,
    status: total === 0 ? 'no_data' : 'ok',
    method_version: METHOD_VERSION,
    as_of: AS_OF,
  }
}
