import { own } from '../kit/own.ts'
import { applyTo, equal, fromJson, toJson, type Change, type Json } from '../kit/json-changes.ts'
import { DEFAULT_CONTENT, type CampaignContent } from './content/content.ts'
import { sameMaterial } from './content/creatives.ts'
import { isComposite, wholeContent, wholeValue } from './content/whole.ts'
import type { CampaignEvent, Meta } from './events.ts'
import { reviewedOf, type Reviewed } from './review/reviewed.ts'
import { chosenExchanges, type Approved, type Cause, type FactName, type Facts } from './status/status.ts'

export type SecondLook = {
  readonly approval: number
  readonly outcome: 'agreed' | 'disagreed' | 'noted'
  readonly by: string
  readonly at: string
}

/** The state of a campaign after its events: the facts of the derivation table, and what readers are shown beside them. */
export type CampaignState = Facts & {
  readonly id: string
  readonly space_id: string
  readonly whitelabel_id: string
  readonly replicated_from: { readonly id: string; readonly revision: number } | null
  /** 0 before the first event. */
  readonly revision: number
  /** Newest save, against which staleness is checked. A moderator's choice of categories makes no edit stale (fine print 3). */
  readonly content_revision: number
  readonly submissions: number
  /** Instant of the newest submission; the next one is later (fine print 4). */
  readonly moderation_start_at: string | null
  readonly moderation_rejected_at: string | null
  readonly moderator_comment: string | null
  /** The newest internal note of staff; never shown to advertisers (fine print 28). */
  readonly admin_comment?: string
  /** The newest second look: the revision of its approval, and its outcome (fine print 104). */
  readonly second_look?: SecondLook
  /** The version that a second look took back; the next approval has a later one. */
  readonly revoked_version?: number
  readonly last_run_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Business time of the newest event. */
  readonly at: string
}

export const initial: CampaignState = {
  id: '',
  space_id: '',
  whitelabel_id: '',
  replicated_from: null,
  revision: 0,
  content_revision: 0,
  submissions: 0,
  moderation_start_at: null,
  moderation_rejected_at: null,
  moderator_comment: null,
  last_run_at: null,
  created_at: '',
  updated_at: '',
  at: '',
  archived: false,
  head: DEFAULT_CONTENT,
  approved: null,
  review: { kind: 'none' },
  intent: false,
  decisions: {},
  flight: 'open',
  day_budget: 'open',
  total_budget: 'open',
  funding: 'ok',
  launched: null,
  causes: {},
}

/** State after one more event. Total and deterministic: any event applies to any state. */
export function evolve(state: CampaignState, event: CampaignEvent, meta: Meta): CampaignState {
  const next = changesContent(event) ? draftOf(state) : { ...state, causes: { ...state.causes } }
  advance(next, event, meta)
  return next
}

const changesContent = (event: CampaignEvent): boolean =>
  event.type === 'CampaignUpdated' || (event.type === 'CampaignApproved' && event.data.changes.length > 0)

/** A state with unshared content, for folding many events: copying per event is most of the cost of a replay. */
export type Draft = { -readonly [Key in keyof CampaignState]: CampaignState[Key] } & {
  causes: { [Fact in FactName]?: Cause }
}

export const draftOf = (state: CampaignState): Draft => ({ ...state, head: { ...state.head }, causes: { ...state.causes } })

/** `evolve` in place. Writes only the draft's own fields and those of its content and causes; deeper values may be shared. */
export function advance(next: Draft, event: CampaignEvent, meta: Meta): void {
  const cause: Cause = { at: meta.at, revision: meta.revision, event: event.type, actor: meta.actor }
  next.revision = meta.revision
  next.at = meta.at
  switch (event.type) {
    case 'CampaignCreated':
      next.id = event.data.id
      next.space_id = event.data.space_id
      next.whitelabel_id = event.data.whitelabel_id
      next.replicated_from = event.data.replicated_from
      next.created_at = meta.at
      return saved(next, withDefaults(event.data.content), cause)
    case 'CampaignUpdated':
      return saved(next, changed(next.head, event.data.changes), cause)
    case 'CampaignSubmitted': {
      const { submission, started_at } = event.data
      next.review = { kind: 'pending', submission, started_at }
      next.submissions = submission
      next.moderation_start_at = started_at
      return because(next, cause, 'review')
    }
    case 'SubmissionWithdrawn':
      next.review = { kind: next.approved ? 'approved' : 'none' }
      return because(next, cause, 'review')
    case 'CampaignApproved': {
      const head = changed(next.head, event.data.changes)
      const reviewed = reviewedOf(head)
      const { version } = event.data
      const approved = { reviewed, version, versions: versionsOf(next.approved, reviewed, version) }
      next.decisions = keptDecisions(next, approved, head)
      next.head = head
      next.approved = approved
      next.review = { kind: 'approved' }
      next.moderator_comment = null
      next.moderation_rejected_at = null
      because(next, cause, 'approved')
      because(next, cause, 'exchanges')
      return because(next, cause, 'review')
    }
    case 'CampaignRejected': {
      const { comment } = event.data
      next.review = { kind: 'rejected', comment, at: meta.at, reviewed: reviewedOf(next.head) }
      next.moderator_comment = comment
      next.moderation_rejected_at = meta.at
      return because(next, cause, 'review')
    }
    case 'CampaignSwitchedOn':
      next.intent = true
      next.last_run_at = meta.at
      return because(next, cause, 'intent')
    case 'CampaignSwitchedOff':
      next.intent = false
      return because(next, cause, 'intent')
    case 'CampaignArchived':
      next.archived = true
      return because(next, cause, 'archived')
    case 'CampaignUnarchived':
      next.archived = false
      return because(next, cause, 'archived')
    case 'FlightChanged':
      next.flight = event.data.flight
      return because(next, cause, 'flight')
    case 'DayBudgetReached':
      next.day_budget = 'reached'
      return because(next, cause, 'day_budget')
    case 'DayBudgetReopened':
      next.day_budget = 'open'
      return because(next, cause, 'day_budget')
    case 'TotalBudgetSpent':
      next.total_budget = 'spent'
      return because(next, { ...cause, at: event.data.due ?? cause.at }, 'total_budget')
    case 'TotalBudgetReopened':
      next.total_budget = 'open'
      return because(next, cause, 'total_budget')
    case 'FundingFellShort':
      next.funding = 'short'
      return because(next, cause, 'funding')
    case 'FundingRestored':
      next.funding = 'ok'
      return because(next, cause, 'funding')
    case 'ServingSuspended':
      next.suspended = true
      return because(next, cause, 'suspended')
    case 'ServingRestored':
      next.suspended = false
      return because(next, cause, 'suspended')
    case 'ExchangeDecided': {
      const { exchange, creative_id, content_version, decision } = event.data
      // A verdict on material that is no longer served is history, not a fact (fine print 16).
      if (own(next.approved?.versions, creative_id) !== content_version) return
      next.decisions = { ...next.decisions, [exchange]: { ...next.decisions[exchange], [creative_id]: decision } }
      return because(next, cause, 'exchanges')
    }
    case 'CampaignLaunched':
      next.launched = meta.at
      return because(next, cause, 'launched')
    case 'CampaignCommented':
      next.admin_comment = event.data.comment
      return
    case 'SecondLookTaken': {
      const { approval, outcome } = event.data
      next.second_look = { approval, outcome, by: meta.actor, at: meta.at }
      if (outcome !== 'disagreed' || next.approved === null) return
      // The rejected version is the approved one: a change that was saved since can be published.
      if (next.review.kind === 'rejected') next.review = { ...next.review, reviewed: next.approved.reviewed }
      next.revoked_version = next.approved.version
      next.approved = null
      next.decisions = {}
      return because(next, cause, 'approved')
    }
    default:
      return unreachable(event)
  }
}

function changed(head: CampaignContent, changes: readonly Change[]): CampaignContent {
  const after: Record<string, Json> = applyTo(toJson(head), changes)
  // A whole record or element may lack the fields that the table has gained since.
  for (const { path, to } of changes) {
    const key = path.split(/[.[]/, 1)[0] ?? ''
    if (isComposite(to)) after[key] = wholeValue(key, after[key]) as Json
  }
  return fromJson(after)
}

/**
 * The same content, with defaults shared instead of copied: thousands of campaigns share them, and a campaign's own values are
 * found without a deep comparison.
 */
function withDefaults(content: CampaignContent): CampaignContent {
  const shared: Record<string, Json> = { ...toJson(wholeContent(content)) }
  for (const [key, value] of SHARED_DEFAULTS) if (equal(shared[key], value)) shared[key] = value
  return fromJson(shared)
}
const SHARED_DEFAULTS = Object.entries(toJson(DEFAULT_CONTENT)).filter(([, value]) => typeof value === 'object' && value !== null)

function saved(next: Draft, head: CampaignContent, cause: Cause): void {
  next.head = head
  next.content_revision = cause.revision
  next.updated_at = cause.at
  because(next, cause, 'head')
}

function because({ causes }: Draft, cause: Cause, fact: FactName): void {
  causes[fact] = cause
}

const unreachable = (_: never): void => {}

function versionsOf(before: Approved | null, reviewed: Reviewed, version: number): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.values(reviewed.creatives).map(({ id, material }) => {
      const known = own(before?.reviewed.creatives, id)
      const same = known !== undefined && sameMaterial(known.material, material)
      return [id, same ? (own(before?.versions, id) ?? version) : version]
    }),
  )
}

/**
 * Approving again keeps verdicts of chosen exchanges on unchanged creatives, and requests the rest (lifecycle.md "Two versions").
 */
function keptDecisions(state: CampaignState, approved: Approved, head: CampaignContent): Facts['decisions'] {
  return Object.fromEntries(
    chosenExchanges(head).flatMap((exchange) => {
      const kept = Object.entries(state.decisions[exchange] ?? {}).filter(([id]) => {
        const version = own(approved.versions, id)
        return version !== undefined && version === own(state.approved?.versions, id)
      })
      return kept.length === 0 ? [] : [[exchange, Object.fromEntries(kept)]]
    }),
  )
}

/** The stream that holds a campaign's events. */
export const CAMPAIGN_STREAMS = 'campaign-'
export const streamOf = (id: string): string => `${CAMPAIGN_STREAMS}${id}`
/** The inverse, for names made by `streamOf`. */
export const idOfStream = (stream: string): string => stream.slice(CAMPAIGN_STREAMS.length)
