import { CLICK_DAYS } from '#domain/events/confirmation'
import { confirmationFact } from '#domain/events/conversion-fact'
import type { FactStore } from '#factstore/fact-store'
import type { BatchInbox } from '../delivery/delivery-port.ts'
import { due, FULL_SCAN, type Sweep } from '../sweep.ts'
import { clicksSince } from './click-days.ts'
import type { TrackedEvents } from './events-port.ts'

export type ConfirmDeps = {
  readonly log: Pick<TrackedEvents, 'unclicked' | 'confirmable' | 'confirm'>
  readonly inbox: Pick<BatchInbox, 'stored'>
  readonly facts: Pick<FactStore, 'daysByCampaign' | 'isAway' | 'store'>
  /** Business time, ISO 8601 UTC. */
  readonly now: () => string
}

const DAY_MS = 86_400_000
/** Campaigns without clicks may wait for months: they are not read three times a second. */
const EVERY_MS = 5000
/** Events that one transaction confirms. */
const AT_ONCE = 1000

/**
 * Confirms events whose click was delivered after they were reported (fine print 111): bidders report hours that are over. Clicks of the
 * last two times 30 days are read, so an event is confirmed by whatever is delivered within 30 days after it.
 */
export function confirmEvents({ log, inbox, facts, now }: ConfirmDeps): Sweep {
  let after = ''
  let nextAt = 0

  /** The next campaigns that wait for a click; from the first one on after the last. */
  async function waiting(): Promise<readonly string[]> {
    const ids = await log.unclicked(after, FULL_SCAN)
    const isLast = ids.length < FULL_SCAN
    after = isLast ? '' : (ids.at(-1) ?? '')
    if (isLast) nextAt = performance.now() + EVERY_MS
    return ids
  }

  return {
    name: 'confirmations',
    scan: async (except) => {
      if (facts.isAway() || performance.now() < nextAt) return []
      const ids = await waiting()
      if (ids.length === 0) return []
      const from = new Date((Math.floor(Date.parse(now()) / DAY_MS) - 2 * CLICK_DAYS) * DAY_MS).toISOString()
      const clicks = await clicksSince(facts, ids, from)
      const found = clicks.size === 0 ? [] : await log.confirmable(clicks)
      return due(
        found.filter((id) => !except.includes(id)),
        String,
        async (id) => {
          for (let more = true; more;) {
            const { confirmed, batch } = await log.confirm(id, clicks.get(id) ?? [], AT_ONCE, confirmationFact)
            if (batch !== null) {
              await facts.store(batch)
              await inbox.stored(batch.id)
            }
            more = confirmed === AT_ONCE
          }
        },
      )
    },
  }
}
