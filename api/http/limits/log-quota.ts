import type { Limits } from '#platform/limits/limits'

/** What an account may add to the log in a day. The log keeps every byte for ever. */
export const LOG_MIB_PER_DAY = 1024
const MIB = 1024 * 1024
const DAY_SECONDS = 86_400
/** Accounts whose rest is kept in memory. */
const REMEMBERED = 10_000

/** The outcome of a command, as far as it counts here. */
type Stored = { readonly kind: 'done'; readonly events: readonly unknown[] } | { readonly kind: 'rejected' }

/**
 * Limits the bytes of events that an account stores in a day. A process reserves them in PostgreSQL by the MiB, so that an ordinary
 * save costs no write; what a save adds is known after it, and is taken from the next MiB.
 */
export function createLogQuota({ reserve }: Pick<Limits, 'reserve'>, mibPerDay = LOG_MIB_PER_DAY) {
  const left = new Map<string, number>()

  async function check(spaceId: string): Promise<void> {
    if (left.size >= REMEMBERED) left.clear()
    while ((left.get(spaceId) ?? 0) <= 0) {
      await reserve([{ key: `log ${spaceId}`, limit: mibPerDay, seconds: DAY_SECONDS }])
      left.set(spaceId, (left.get(spaceId) ?? 0) + MIB)
    }
  }

  return {
    /** Runs a command on the account's bytes of log; throws TooMany when the account has used them up. */
    async within<Outcome extends Stored | null>(spaceId: string, command: () => Promise<Outcome>): Promise<Outcome> {
      await check(spaceId)
      const outcome = await command()
      if (outcome?.kind === 'done' && outcome.events.length > 0)
        left.set(spaceId, (left.get(spaceId) ?? 0) - Buffer.byteLength(JSON.stringify(outcome.events)))
      return outcome
    },
  }
}
export type LogQuota = ReturnType<typeof createLogQuota>
