import type { AutoRefill } from '../account/cards.ts'
import type { Micros } from '../kit/money.ts'
import { refillPresets } from './amounts.ts'
import { MICROS } from '../kit/money.ts'

/** First instant of the month that `now` is in, for a clock that is `offsetSeconds` east of UTC; ISO 8601 UTC. */
export function monthStart(now: string, offsetSeconds: number): string {
  const local = new Date(Date.parse(now) + offsetSeconds * 1000)
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1) - offsetSeconds * 1000).toISOString()
}

/** Settings that the form offers an account that never had an automatic refill. */
export function suggestedAutoRefill(currency: string): AutoRefill {
  const [threshold = 0, amount = 0, limit = 0] = refillPresets(currency).map((units) => units * MICROS)
  return { enabled: false, threshold, amount, monthly_limit: limit }
}

/** Whether a refill is due: less than the threshold is available, and the month has room for the amount. */
export const isRefillDue = (
  { enabled, threshold, amount, monthly_limit: limit }: AutoRefill,
  available: Micros,
  takenThisMonth: Micros,
): boolean => enabled && available < threshold && takenThisMonth + amount <= limit
