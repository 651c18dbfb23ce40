import { apply, diff, equal } from './changes.ts'
import { DEFAULT_CONTENT, type CampaignContent } from './content.ts'
import type { CampaignEvent, Meta } from './events.ts'
import { reviewedOf, type Reviewed } from './reviewed.ts'
import { chosenExchanges, type Approved, type Cause, type FactName, type Facts } from './status.ts'

/** A campaign as its events left it: the facts of the derivation table, and what its readers are shown beside them. */
export type CampaignState = Facts & {
  readonly id: string
  readonly space_id: string
  readonly whitelabel_id: string
  readonly replicated_from: { readonly id: string; readonly revision: number } | null
  /** 0 while nothing has happened. */
  readonly revision: number
  /** Newest revision that changed content: what a stale save is measured against (fine print 3). */
  readonly content_revision: number
  readonly submissions: number
  /** Instant of the newest submission; the next one is later (fine print 4). */
  readonly moderation_start_at: string | null
  readonly moderation_rejected_at: string | null
  readonly moderator_comment: string | null
  readonly last_run_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Business time of the newest event. */
  readonly at: string
}

export const initialState: CampaignState = {
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

/** State after one more event. Total: any event on any state gives a state, and the same one anywhere. */
export function evolve(state: CampaignState, event: CampaignEvent, meta: Meta): CampaignState {
  const next: CampaignState = { ...state, revision: meta.revision, at: meta.at }
  const cause: Cause = { at: meta.at, revision: meta.revision, event: event.type, actor: meta.actor }
  const because = (...facts: FactName[]) => ({
    causes: { ...state.causes, ...Object.fromEntries(facts.map((fact) => [fact, cause])) },
  })
  const saved = { content_revision: meta.revision, updated_at: meta.at }
  switch (event.type) {
    case 'CampaignCreated': {
      const { id, space_id, whitelabel_id, content, replicated_from } = event.data
      const created = { id, space_id, whitelabel_id, replicated_from, head: content, created_at: meta.at }
      return { ...next, ...created, ...saved, ...because('head') }
    }
    case 'CampaignUpdated':
      return { ...next, head: apply(state.head, event.data.changes), ...saved, ...because('head') }
    case 'CampaignSubmitted': {
      const { submission, started_at } = event.data
      const review = { kind: 'pending', submission, started_at } as const
      return { ...next, review, submissions: submission, moderation_start_at: started_at, ...because('review') }
    }
    case 'SubmissionWithdrawn':
      return { ...next, review: { kind: state.approved ? 'approved' : 'none' }, ...because('review') }
    case 'CampaignApproved': {
      const head = apply(state.head, event.data.changes)
      const reviewed = reviewedOf(head)
      const approved = {
        reviewed,
        version: event.data.version,
        versions: versionsOf(state.approved, reviewed, event.data.version),
      }
      const content = equalHead(state, head) ? {} : { content_revision: meta.revision }
      const cleared = { moderator_comment: null, moderation_rejected_at: null }
      const review = { kind: 'approved' } as const
      const decisions = keptDecisions(state, approved, head)
      return { ...next, ...content, head, approved, review, decisions, ...cleared, ...because('review', 'approved', 'exchanges') }
    }
    case 'CampaignRejected': {
      const { comment } = event.data
      const review = { kind: 'rejected', comment, at: meta.at, reviewed: reviewedOf(state.head) } as const
      return { ...next, review, moderator_comment: comment, moderation_rejected_at: meta.at, ...because('review') }
    }
    case 'CampaignSwitchedOn':
      return { ...next, intent: true, last_run_at: meta.at, ...because('intent') }
    case 'CampaignSwitchedOff':
      return { ...next, intent: false, ...because('intent') }
    case 'CampaignArchived':
      return { ...next, archived: true, ...because('archived') }
    case 'CampaignUnarchived':
      return { ...next, archived: false, ...because('archived') }
    case 'FlightChanged':
      return { ...next, flight: event.data.flight, ...because('flight') }
    case 'DayBudgetReached':
      return { ...next, day_budget: 'reached', ...because('day_budget') }
    case 'DayBudgetReopened':
      return { ...next, day_budget: 'open', ...because('day_budget') }
    case 'TotalBudgetSpent':
      return { ...next, total_budget: 'spent', ...because('total_budget') }
    case 'TotalBudgetReopened':
      return { ...next, total_budget: 'open', ...because('total_budget') }
    case 'FundingFellShort':
      return { ...next, funding: 'short', ...because('funding') }
    case 'FundingRestored':
      return { ...next, funding: 'ok', ...because('funding') }
    case 'ExchangeDecided': {
      const { exchange, creative_id, content_version, decision } = event.data
      // A verdict on material that no longer serves is history, not a fact (fine print 16).
      if (state.approved?.versions[creative_id] !== content_version) return next
      const decisions = { ...state.decisions, [exchange]: { ...state.decisions[exchange], [creative_id]: decision } }
      return { ...next, decisions, ...because('exchanges') }
    }
    case 'CampaignLaunched':
      return { ...next, launched: meta.at, ...because('launched') }
    default:
      return unreachable(event, next)
  }
}

const unreachable = (_: never, state: CampaignState): CampaignState => state

const equalHead = (state: CampaignState, head: CampaignState['head']): boolean => diff(state.head, head).length === 0

function versionsOf(before: Approved | null, reviewed: Reviewed, version: number): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.values(reviewed.creatives).map(({ id, material }) => {
      const known = before?.reviewed.creatives[id]
      const same = known !== undefined && equal(known.material, material)
      return [id, same ? (before?.versions[id] ?? version) : version]
    }),
  )
}

/** Approving again keeps the verdicts of chosen exchanges on unchanged creatives, and asks for the rest (lifecycle "Two versions"). */
function keptDecisions(state: CampaignState, approved: Approved, head: CampaignContent): Facts['decisions'] {
  return Object.fromEntries(
    chosenExchanges(head).flatMap((exchange) => {
      const kept = Object.entries(state.decisions[exchange] ?? {}).filter(([id]) => {
        const version = approved.versions[id]
        return version !== undefined && version === state.approved?.versions[id]
      })
      return kept.length === 0 ? [] : [[exchange, Object.fromEntries(kept)]]
    }),
  )
}

/** The stream that holds a campaign's events. */
export const streamOf = (id: string): string => `campaign-${id}`
