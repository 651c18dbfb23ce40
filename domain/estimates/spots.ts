import type { Micros } from '../kit/money.ts'

/** Price of an audio spot, micros (campaigns.md §9). */
const COST: Readonly<Record<string, Micros>> = { USD: 100_000, NGN: 130_000_000 }
const OTHERWISE: Micros = 350_000

/** Default price multiplier of an account (campaigns.md §9). */
export const DEFAULT_CPM_RATE = 1

/** A test environment has one price for all currencies. */
const costPerSpot = (currency: string, isTest: boolean): Micros =>
  !isTest && Object.hasOwn(COST, currency) ? (COST[currency] ?? OTHERWISE) : OTHERWISE

/**
 * Audio spots within a day's budget: budget / (cost per spot × multiplier), rounded down (decisions G-164). Null for a multiplier
 * that is not positive, or a negative budget; both have at most six decimals. Exact: 0.3 at 0.1 gives three spots despite
 * rounding.
 */
export function audioSpots(currency: string, multiplier: Micros, dailyBudget: Micros, isTest = false): number | null {
  if (multiplier <= 0 || dailyBudget < 0) return null
  return Number((BigInt(dailyBudget) * 1_000_000n) / (BigInt(costPerSpot(currency, isTest)) * BigInt(multiplier)))
}
