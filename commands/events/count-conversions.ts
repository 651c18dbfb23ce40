import { conversionFact } from '#domain/events/conversion-fact'
import type { FactStore } from '#factstore/fact-store'
import type { BatchInbox } from '../delivery/delivery-port.ts'
import { due, type Sweep } from '../sweep.ts'
import type { TrackedEvents } from './events-port.ts'

export type CountDeps = {
  readonly log: Pick<TrackedEvents, 'gather' | 'uncounted'>
  readonly inbox: Pick<BatchInbox, 'stored'>
  readonly facts: Pick<FactStore, 'store'>
}

/** Conversions in one batch. */
const AT_ONCE = 1000

/**
 * Counts conversions in the facts, each exactly once: they move into a batch of the delivery inbox in one transaction, and the fact
 * store takes a batch once. After a crash between the two, the sweep `delivery-storing` stores the batch.
 */
export const countConversions = ({ log, inbox, facts }: CountDeps): Sweep => ({
  name: 'conversions',
  scan: async (except) =>
    due(await log.uncounted(AT_ONCE, except), String, async (spaceId) => {
      const batch = await log.gather(spaceId, AT_ONCE, conversionFact)
      if (batch === null) return
      await facts.store(batch)
      await inbox.stored(batch.id)
    }),
})
