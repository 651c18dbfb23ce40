import type { DeliveredCampaign, DeliveryRow, Fact } from '#domain/delivery/batch'
import type { Micros } from '#domain/kit/money'

/** What delivery commands need from outside. The composition root implements it. */
export type DeliveryPort = {
  readonly inbox: BatchInbox
  readonly settlements: Settlements
  /**
   * The campaigns with these ids, with the intervals in which they served: of one white-label, or of all for null. Unknown ids are
   * missing.
   */
  readonly delivered: (ids: readonly string[], whitelabelId: string | null) => Promise<ReadonlyMap<string, DeliveredCampaign>>
  /** Resolves when `delivered` includes every event that is committed now; throws when that takes too long. */
  readonly caughtUp: () => Promise<void>
}

export type IncomingBatch = {
  readonly id: string
  /** Identifies the body: a repeat has the same. */
  readonly bodyHash: string
  /** Id of the bidder's credential; null for the service token. */
  readonly bidder: string | null
  /** The white-label that the bidder serves; null for all. */
  readonly whitelabelId: string | null
  readonly rows: readonly DeliveryRow[]
}

/** Accepted batches, and what they billed. */
export type BatchInbox = {
  /** Null for a batch that was never accepted. `facts` is null once the fact store has them. */
  readonly find: (id: string) => Promise<{ readonly bodyHash: string; readonly facts: readonly Fact[] | null } | null>
  /**
   * Accepts a batch and bills it, in one transaction: billed spend never exceeds a budget, whatever runs at the same time. Null when
   * another process accepted it first.
   */
  readonly accept: (batch: IncomingBatch, campaigns: ReadonlyMap<string, DeliveredCampaign>) => Promise<readonly Fact[] | null>
  /** Marks the facts as stored. */
  readonly stored: (id: string) => Promise<void>
  /** Batches whose facts the fact store may lack, oldest first; those of the last seconds are still being stored. */
  readonly unstored: (limit: number) => Promise<readonly { readonly id: string; readonly facts: readonly Fact[] }[]>
}

/** One settlement: charges of an account that its ledger records as one event. */
export type Settlement = {
  readonly spaceId: string
  /** Counts from 1 in each account. */
  readonly number: number
  readonly amount: Micros
  readonly batches: readonly string[]
  readonly campaigns: readonly { readonly campaign_id: string; readonly amount: Micros }[]
}

export type Settlements = {
  /** Accounts with charges older than this, or with a settlement that the ledger may lack. */
  readonly due: (olderThanMs: number, limit: number) => Promise<readonly string[]>
  /** The account's unrecorded settlement, or a new one of its oldest open charges, 500 at most; null without any. */
  readonly prepare: (spaceId: string) => Promise<Settlement | null>
  /**
   * Leaves an unrecorded settlement the first 500 of its charges; the others are open again. False when it has no more. Only for a
   * settlement that the ledger refused as too large: one that it may have must not change.
   */
  readonly split: (spaceId: string, number: number) => Promise<boolean>
  readonly recorded: (spaceId: string, number: number) => Promise<void>
}
