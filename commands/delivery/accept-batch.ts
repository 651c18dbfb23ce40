import { batchFaults } from '#domain/delivery/batch'
import { reject, type Rejection } from '#domain/kit/errors'
import type { FactStore } from '#factstore/fact-store'
import { Away } from '#eventstore/away'
import { due, type Sweep } from '../sweep.ts'
import { createFactGroups, ROWS_OF_A_GROUP } from './fact-groups.ts'
import type { DeliveryPort, IncomingBatch } from './delivery-port.ts'

export type Accepted =
  | { readonly kind: 'accepted'; readonly repeated: boolean }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

export type DeliveryDeps = {
  readonly port: DeliveryPort
  readonly facts: FactStore
  /** Business time, ISO 8601 UTC. */
  readonly now: () => string
  /** Batches are remembered this many days, and older hours are refused; any hour without it. */
  readonly batchDays?: number
}

const DAY_MS = 86_400_000

/**
 * Accepts a batch exactly once, in three steps that can each be repeated:
 * 1. Validate it whole. A wrong row refuses the batch (2), and nothing is stored (fine print 31 and 40).
 * 2. Accept and bill it in one PostgreSQL transaction. Where facts are in the same database, it stores them too.
 * 3. Elsewhere, store its facts, which the fact store counts once by batch id. After a crash, or while the fact store is away, the
 *    policies or the bidder's repeat do this.
 * The same id with another body is refused (141).
 */
export function createDelivery({ port, facts: store, now, batchDays }: DeliveryDeps) {
  const { inbox } = port
  const groups = createFactGroups({ inbox, store })
  const oldest = () => (batchDays === undefined ? '' : new Date(Date.parse(now()) - batchDays * DAY_MS).toISOString())

  /** A batch is accepted once it is billed. While the fact store is away, its facts wait in the inbox for the policies. */
  async function orLeave(storing: Promise<void>): Promise<void> {
    await storing.catch((error: unknown) => {
      if (!(error instanceof Away)) throw error
    })
  }

  async function repeat(batch: IncomingBatch): Promise<Accepted | null> {
    const known = await inbox.find(batch.id)
    if (known === null) return null
    if (known.bodyHash !== batch.bodyHash)
      return {
        kind: 'rejected',
        rejection: reject(141, [{ path: 'batch_id', code: 141, message: 'This batch was sent before with other rows' }]),
      }
    if (known.facts !== null) await orLeave(groups.add({ id: batch.id, facts: known.facts }))
    return { kind: 'accepted', repeated: true }
  }

  async function campaignsOf({ rows, whitelabelId }: IncomingBatch) {
    const ids = [...new Set(rows.map((row) => row.campaign_id))]
    const campaigns = await port.delivered(ids, whitelabelId)
    const faults = batchFaults(rows, campaigns, now(), oldest())
    // A campaign that started a moment ago may not be in the read model yet.
    if (faults.length === 0) return { campaigns, faults }
    await port.caughtUp()
    const again = await port.delivered(ids, whitelabelId)
    return { campaigns: again, faults: batchFaults(rows, again, now(), oldest()) }
  }

  return {
    async accept(batch: IncomingBatch): Promise<Accepted> {
      const earlier = await repeat(batch)
      if (earlier !== null) return earlier
      const { campaigns, faults } = await campaignsOf(batch)
      if (faults.length > 0) return { kind: 'rejected', rejection: reject(2, faults) }
      const accepted = await inbox.accept(batch, campaigns)
      if (accepted === null) return (await repeat(batch)) ?? { kind: 'accepted', repeated: true }
      if (accepted.facts !== null) await orLeave(groups.add({ id: batch.id, facts: accepted.facts }))
      return { kind: 'accepted', repeated: false }
    },

    /** Stores facts that a crash or an outage kept from the fact store. */
    storing: {
      name: 'delivery-storing',
      scan: async (except) => {
        // Batches are large: they are not read three times a second for nothing.
        if (store.isAway()) return []
        return due(
          await inbox.unstored(ROWS_OF_A_GROUP, except),
          ({ id }) => id,
          (group) => orLeave(store.store(group).then(() => inbox.stored(group.id))),
        )
      },
    } satisfies Sweep as Sweep,
  }
}
