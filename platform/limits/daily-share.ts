import type { WriteQuota } from '#commands/handle'
import type { Limits } from './limits.ts'

export const DAY_SECONDS = 86_400
/** Accounts whose rest is kept in memory. */
const REMEMBERED = 10_000

export type Share = {
  readonly name: string
  /** How much is reserved at once. */
  readonly unit: number
  /** Units of an account in a day. */
  readonly perDay: number
}

/** Bytes of the log, which keeps them for ever: a GiB a day. */
export const LOG_SHARE: Share = { name: 'log', unit: 1024 * 1024, perDay: 1024 }
/** Calls that leave something behind, such as rows, answers to repeat and security events. */
export const WRITE_SHARE: Share = { name: 'writes', unit: 1000, perDay: 100 }

/**
 * Limits what the account that asks adds in a day; the product itself, whose `account` is null, is not limited. A process reserves
 * whole units in PostgreSQL, so that an ordinary write costs no other; what it adds is known after it, and is taken from what is left.
 */
export function createDailyShare(
  { reserve }: Pick<Limits, 'reserve'>,
  account: () => string | null,
  { name, unit, perDay }: Share,
): WriteQuota {
  const left = new Map<string, number>()
  return {
    async check() {
      const asking = account()
      if (asking === null) return
      if (left.size >= REMEMBERED) left.clear()
      while ((left.get(asking) ?? 0) <= 0) {
        await reserve([{ key: `${name} ${asking}`, limit: perDay, seconds: DAY_SECONDS }])
        left.set(asking, (left.get(asking) ?? 0) + unit)
      }
    },
    spent(amount) {
      const asking = account()
      if (asking !== null) left.set(asking, (left.get(asking) ?? 0) - amount)
    },
  }
}
