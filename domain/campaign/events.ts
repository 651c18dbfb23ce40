import { eventDecoder, FIRST, type EventSchemas } from '../kit/event-schema.ts'
import type { Change } from '../kit/json-changes.ts'
import type { CampaignContent } from './content/content.ts'
import type { ServingDecision } from './status/status.ts'

/** Events of a campaign. One commit of these is one revision and one change-log entry. */
export type CampaignEvent =
  | {
      readonly type: 'CampaignCreated'
      readonly data: {
        readonly id: string
        readonly space_id: string
        readonly whitelabel_id: string
        readonly content: CampaignContent
        readonly replicated_from: { readonly id: string; readonly revision: number } | null
      }
    }
  | {
      readonly type: 'CampaignUpdated'
      readonly data: {
        readonly changes: readonly Change[]
        /** Set when this save restored an older revision, or reverted one. */
        readonly restored: number | null
        readonly undone: number | null
        /** Fields that such a save had to keep; absent without any (fine print 13). */
        readonly kept?: readonly string[]
      }
    }
  | { readonly type: 'CampaignSubmitted'; readonly data: { readonly submission: number; readonly started_at: string } }
  | { readonly type: 'SubmissionWithdrawn'; readonly data: { readonly submission: number } }
  | {
      readonly type: 'CampaignApproved'
      readonly data: { readonly submission: number; readonly version: number; readonly changes: readonly Change[] }
    }
  | { readonly type: 'CampaignRejected'; readonly data: { readonly submission: number; readonly comment: string } }
  | { readonly type: 'CampaignSwitchedOn'; readonly data: Nothing }
  | { readonly type: 'CampaignSwitchedOff'; readonly data: Nothing }
  | { readonly type: 'CampaignArchived'; readonly data: Nothing }
  | { readonly type: 'CampaignUnarchived'; readonly data: Nothing }
  | {
      readonly type: 'FlightChanged'
      readonly data: { readonly flight: 'upcoming' | 'open' | 'ended'; readonly due: string | null }
    }
  | { readonly type: 'DayBudgetReached'; readonly data: { readonly day: string } }
  | { readonly type: 'DayBudgetReopened'; readonly data: { readonly day: string } }
  | {
      readonly type: 'TotalBudgetSpent'
      /** The instant at which billed spend reached the budget; absent where only the time of recording is known. */
      readonly data: { readonly due?: string }
    }
  | { readonly type: 'TotalBudgetReopened'; readonly data: Nothing }
  | { readonly type: 'FundingFellShort'; readonly data: Nothing }
  | { readonly type: 'FundingRestored'; readonly data: Nothing }
  /** The account was suspended: nothing is served until it is restored. */
  | { readonly type: 'ServingSuspended'; readonly data: Nothing }
  | { readonly type: 'ServingRestored'; readonly data: Nothing }
  | {
      readonly type: 'ExchangeDecided'
      readonly data: {
        readonly exchange: string
        readonly creative_id: string
        readonly content_version: number
        readonly decision: ServingDecision
      }
    }
  | { readonly type: 'CampaignLaunched'; readonly data: Nothing }
  /** An internal note of the white-label's staff. */
  | { readonly type: 'CampaignCommented'; readonly data: { readonly comment: string } }
  /**
   * A second moderator checked the approval of this revision. After `disagreed` nothing is approved any more; `noted` is a
   * disagreement with what had changed meanwhile (fine print 104).
   */
  | {
      readonly type: 'SecondLookTaken'
      readonly data: {
        readonly approval: number
        readonly outcome: 'agreed' | 'disagreed' | 'noted'
        readonly comment: string
      }
    }

export type Nothing = Readonly<Record<string, never>>

export const CAMPAIGN_EVENTS: EventSchemas<CampaignEvent> = {
  CampaignCreated: FIRST,
  CampaignUpdated: FIRST,
  CampaignSubmitted: FIRST,
  SubmissionWithdrawn: FIRST,
  CampaignApproved: FIRST,
  CampaignRejected: FIRST,
  CampaignSwitchedOn: FIRST,
  CampaignSwitchedOff: FIRST,
  CampaignArchived: FIRST,
  CampaignUnarchived: FIRST,
  FlightChanged: FIRST,
  DayBudgetReached: FIRST,
  DayBudgetReopened: FIRST,
  TotalBudgetSpent: FIRST,
  TotalBudgetReopened: FIRST,
  FundingFellShort: FIRST,
  FundingRestored: FIRST,
  ServingSuspended: FIRST,
  ServingRestored: FIRST,
  ExchangeDecided: FIRST,
  CampaignLaunched: FIRST,
  CampaignCommented: FIRST,
  SecondLookTaken: FIRST,
}

/** A campaign's event from its stored bytes. */
export const decodeCampaignEvent = eventDecoder<CampaignEvent>(CAMPAIGN_EVENTS)

/** Metadata that the log adds to an event: actor, time, and revision. */
export type Meta = {
  /** Business time, ISO 8601 UTC; never decreases within a stream. */
  readonly at: string
  readonly revision: number
  /** User id, or `system:<policy>`. */
  readonly actor: string
}
