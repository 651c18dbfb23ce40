import type { Micros } from '../kit/money.ts'

/** What an audio spot costs, micros (campaign.md §9). */
const COST: Readonly<Record<string, Micros>> = { USD: 100_000, NGN: 130_000_000 }
const OTHERWISE: Micros = 350_000

/** What an account's spots cost more than that, unless something else was agreed (campaign.md §9). */
export const DEFAULT_CPM_RATE = 1

export const costPerSpot = (currency: string): Micros =>
  Object.hasOwn(COST, currency) ? (COST[currency] ?? OTHERWISE) : OTHERWISE

/**
 * Audio spots that a day's budget buys: the whole ones of budget / (cost per spot × multiplier) (decisions G-164). Null for a multiplier that
 * is not above zero, or a budget below it; both have at most six decimals. Exact: a third spot for 0.3 at 0.1 is not lost to rounding.
 */
export function audioSpots(currency: string, multiplier: Micros, dailyBudget: Micros): number | null {
  if (multiplier <= 0 || dailyBudget < 0) return null
  return Number((BigInt(dailyBudget) * 1_000_000n) / (BigInt(costPerSpot(currency)) * BigInt(multiplier)))
}
