import type { DeliveredCampaign, DeliveryRow, Fact } from '#domain/delivery/batch'
import type { SettledCharges } from '#domain/account/movements'
import type { Micros, Sum } from '#domain/kit/money'

/** Dependencies of delivery commands. The composition root implements it. */
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
   * another process accepted it first. `facts` is null when the fact store has them already: it can be part of the transaction.
   */
  readonly accept: (
    batch: IncomingBatch,
    campaigns: ReadonlyMap<string, DeliveredCampaign>,
  ) => Promise<{ readonly facts: readonly Fact[] | null } | null>
  /**
   * Puts waiting batches into one group, which the fact store takes as one batch under the id of the first; returns those that are in
   * it. A batch is in one group for ever, so what a crash left half stored is repeated as it was.
   */
  readonly group: (ids: readonly string[]) => Promise<readonly string[]>
  /** Marks the facts of a group as stored. */
  readonly stored: (group: string) => Promise<void>
  /** Groups of batches whose facts the fact store may lack, of about so many rows; those of the last seconds are still being stored. */
  readonly unstored: (
    rows: number,
    except: readonly string[],
  ) => Promise<readonly { readonly id: string; readonly facts: readonly Fact[] }[]>
}

/** Charges of a settlement: an event names its campaigns, and an append has a largest size. */
export const MOST_CHARGES = 500

/** One settlement: charges of an account that its books record as one event. */
export type Settlement = {
  readonly spaceId: string
  /** Counts from 1 in each account. */
  readonly number: number
  /** Month of the books that it belongs to, `yyyymm`, and of the books before them, if any. */
  readonly month: string
  readonly previous: string | null
  /** True while the month has no settlement that is known to be recorded. */
  readonly opens: boolean
  readonly amount: Micros
  readonly charges: SettledCharges
  readonly campaigns: readonly { readonly campaign_id: string; readonly amount: Micros }[]
}

export type Settlements = {
  /** Accounts with charges older than this, or with a settlement that the books may lack. */
  readonly due: (olderThanMs: number, limit: number, except: readonly string[]) => Promise<readonly string[]>
  /**
   * The account's unrecorded settlement, or a new one of its oldest open charges, 500 at most; null without any. A new one belongs
   * to this month, or to a later one that the account has settled in already.
   */
  readonly prepare: (spaceId: string, month: string) => Promise<Settlement | null>
  /**
   * Leaves an unrecorded settlement the first 500 of its charges; the others are open again. False when it has no more. Only for a
   * settlement that the books refused as too large: one that they may have must not change.
   */
  readonly split: (spaceId: string, number: number) => Promise<boolean>
  /** The books of the month have the settlement; `spent` is the spend of the month up to it. */
  readonly recorded: (spaceId: string, number: number, books: { readonly month: string; readonly spent: Sum }) => Promise<void>
  /** Open books of months before this one whose settlements are all recorded. */
  readonly over: (month: string, limit: number) => Promise<readonly { readonly spaceId: string; readonly month: string }[]>
  readonly closed: (spaceId: string, month: string) => Promise<void>
  /** All spend in the books of the account, without that of its own stream; micros. */
  readonly booked: (spaceId: string) => Promise<Sum>
}
