import { reject, type Fault, type Rejection } from '../kit/errors.ts'
import type { References } from './saving/references.ts'
import type { Change } from '../kit/json-changes.ts'
import type { CampaignContent } from './content/content.ts'
import type { CampaignEvent } from './events.ts'
import type { CampaignPatch } from './content/shape.ts'
import type { ServingDecision } from './status/status.ts'

/** Facts from outside the stream that a decision needs; gathered by the handler, never looked up here (fine print 1). */
export type CommandFacts = {
  readonly now: string
  /** Balance and credit of the space, in micros. */
  readonly available: number
  /** Whether the account is suspended; absent for no. */
  readonly suspended?: boolean
  /** Billed spend of the campaign: on its local day, and in total. Micros. */
  readonly spentToday: number
  readonly spentTotal: number
  /** When billed spend reached the total budget, if delivery reports it; it then decides between 42 and 43. */
  readonly totalSpentAt?: string
  readonly baseBid: number
  readonly maxMargin: number
  readonly nameTaken: boolean
  /** Offset of the country the command names, or else of the stored one; null for an unknown country. */
  readonly countryOffset: number | null
  readonly references: References
}

export type Save = {
  readonly patch: CampaignPatch
  readonly newIds: readonly string[]
  readonly mayWriteOwnerFields: boolean
}
/** The revision the caller edited; null overwrites the newest. */
export type Expected = { readonly expected: number | null }

export type CampaignCommand =
  | ({
      readonly type: 'CreateCampaign'
      readonly id: string
      readonly spaceId: string
      readonly whitelabelId: string
      readonly replicatedFrom: { readonly id: string; readonly revision: number } | null
      /** Initial content: the defaults, or the source of a replicate. */
      readonly base: CampaignContent
      readonly publish: boolean
    } & Save)
  | ({ readonly type: 'UpdateCampaign'; readonly comment?: string | null } & Save & Expected)
  | ({ readonly type: 'PublishCampaign' } & Save & Expected)
  | {
      readonly type: 'ApproveCampaign'
      readonly moderationStartAt: string | null
      readonly categoryKeys: readonly string[] | null
      readonly exchangeId: readonly string[] | null
      /** The approver made or submitted what is pending, and the white-label does not allow that (fine print 46). */
      readonly ownWork: boolean
    }
  | { readonly type: 'RejectCampaign'; readonly moderationStartAt: string | null; readonly comment: string }
  /** Verdict of the moderator who checks the approval of this revision again (fine print 104). */
  | {
      readonly type: 'TakeSecondLook'
      readonly approval: number
      readonly moderatorId: string
      readonly agrees: boolean
      readonly comment: string
    }
  | { readonly type: 'RunCampaign' }
  | { readonly type: 'PauseCampaign' }
  | { readonly type: 'ToggleArchive' }
  | ({ readonly type: 'RestoreRevision'; readonly restored: number; readonly content: CampaignContent } & Omit<Save, 'patch'> &
      Expected)
  | ({
      readonly type: 'UndoRevision'
      readonly undone: number
      readonly changes: readonly Change[]
      /** Later changes of content, newest last: what an undo may conflict with. */
      readonly later: readonly { readonly revision: number; readonly changes: readonly Change[] }[]
    } & Omit<Save, 'patch'>)
  | {
      readonly type: 'DecideExchange'
      /** Accepted or refused together: one commit, one change-log entry. */
      readonly verdicts: readonly ExchangeVerdict[]
    }
  | { readonly type: 'KeepClock' }
  | { readonly type: 'KeepSpend' }
  | { readonly type: 'KeepFunding' }

/** An exchange's verdict on a creative. Without `contentVersion` it applies to the served version (fine print 16). */
export type ExchangeVerdict = {
  readonly exchange: string
  readonly creativeId: string
  readonly contentVersion: number | null
  readonly decision: ServingDecision
}

export type Decision =
  | { readonly kind: 'events'; readonly events: readonly CampaignEvent[]; readonly kept?: readonly string[] }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

export const nothing: Decision = { kind: 'events', events: [] }
export const refuse = (code: Rejection['code'], faults: readonly Fault[] = [], message?: string): Decision => ({
  kind: 'rejected',
  rejection: reject(code, faults, message),
})
