import { type CampaignContent } from '../content/content.ts'
import { EXCHANGES, type Exchange } from '../content/options.ts'
import { own } from '#domain/kit/own'
import { goesBeyond, reviewedOf, servedCreatives, type Reviewed } from '../review/reviewed.ts'
import { STATUS_KEY, type StatusKey } from './status-keys.ts'

export type ComplianceStatus = 'approved' | 'disapproved' | 'pending'
export type Compliance = { readonly status: ComplianceStatus; readonly topics: readonly { readonly policyTopic: string }[] }
export type ServingDecision = {
  readonly dealsPolicyCompliance: Compliance
  readonly networkPolicyCompliance: Compliance
  readonly platformPolicyCompliance: Compliance
}
export const COMPLIANCES = ['dealsPolicyCompliance', 'networkPolicyCompliance', 'platformPolicyCompliance'] as const

/** Per exchange: any disapproved wins, then any pending (fine print 16). */
export function verdictOf(decision: ServingDecision | undefined): ComplianceStatus {
  if (decision === undefined) return 'pending'
  let verdict: ComplianceStatus = 'approved'
  for (const name of COMPLIANCES) {
    const { status } = decision[name]
    if (status === 'disapproved') return status
    if (status === 'pending') verdict = status
  }
  return verdict
}

/** Author and time of a fact, for a status reason. */
export type Cause = { readonly at: string; readonly revision: number; readonly event: string; readonly actor: string }

export type Review =
  | { readonly kind: 'none' }
  | { readonly kind: 'pending'; readonly submission: number; readonly started_at: string }
  | { readonly kind: 'approved' }
  | { readonly kind: 'rejected'; readonly comment: string; readonly at: string; readonly reviewed: Reviewed }

export type Approved = {
  readonly reviewed: Reviewed
  /** Per creative: the approval in which its present material was first accepted. */
  readonly versions: Readonly<Record<string, number>>
  readonly version: number
}

/** The independent facts of lifecycle.md "One derived status". */
export type Facts = {
  readonly archived: boolean
  readonly head: CampaignContent
  readonly approved: Approved | null
  readonly review: Review
  readonly intent: boolean
  /** Decisions by exchange, then by creative; none means pending. */
  readonly decisions: Readonly<Record<string, Readonly<Record<string, ServingDecision>>>>
  readonly flight: 'upcoming' | 'open' | 'ended'
  readonly day_budget: 'open' | 'reached'
  readonly total_budget: 'open' | 'spent'
  readonly funding: 'ok' | 'short'
  /** Whether the account is suspended; absent until it was once. */
  readonly suspended?: boolean
  readonly launched: string | null
  readonly causes: Readonly<Partial<Record<FactName, Cause>>>
}
export type FactName =
  | 'archived'
  | 'head'
  | 'approved'
  | 'review'
  | 'intent'
  | 'exchanges'
  | 'flight'
  | 'day_budget'
  | 'total_budget'
  | 'funding'
  | 'suspended'
  | 'launched'

export const chosenExchanges = (head: CampaignContent): readonly Exchange[] =>
  head.exchange_id.length === 0 ? EXCHANGES : EXCHANGES.filter((exchange) => head.exchange_id.includes(exchange))

/** Creatives that are served now: approved ones that are still in the head. */
export const served = (facts: Facts) => (facts.approved ? servedCreatives(facts.head, facts.approved.reviewed) : [])

function anythingCleared(facts: Facts): boolean {
  const exchanges = chosenExchanges(facts.head)
  return served(facts).some(({ id }) =>
    exchanges.some((exchange) => verdictOf(own(facts.decisions[exchange], id)) === 'approved'),
  )
}

/** True when something is approved and the head holds reviewed content that is not (fine print 8). */
export const needsModeration = (facts: Facts): boolean =>
  facts.approved !== null && goesBeyond(reviewedOf(facts.head), facts.approved.reviewed)

/** Compares due instants, not recording times: after a downtime both are recorded at once. A tie is overdue. */
const endedFirst = ({ head, causes }: Facts): boolean => (head.campaign_end_at ?? '') <= (causes.total_budget?.at ?? '')

type Row = {
  readonly key: string
  readonly status: (facts: Facts) => StatusKey
  readonly holds: (facts: Facts) => boolean
  readonly fact: FactName
  readonly remedy: string
}

/** The derivation table: the first row that matches decides (lifecycle.md). */
const TABLE: readonly Row[] = [
  { key: 'archived', status: () => 5, holds: (f) => f.archived, fact: 'archived', remedy: 'run_or_unarchive' },
  {
    key: 'in_moderation',
    status: () => 1,
    holds: (f) => f.approved === null && f.review.kind === 'pending',
    fact: 'review',
    remedy: 'wait_for_moderator',
  },
  {
    key: 'rejected',
    status: () => 2,
    holds: (f) => f.approved === null && f.review.kind === 'rejected',
    fact: 'review',
    remedy: 'edit_and_publish',
  },
  {
    key: 'draft',
    status: () => 0,
    holds: (f) => f.approved === null && (f.review.kind === 'none' || f.review.kind === 'approved'),
    fact: 'head',
    remedy: 'publish',
  },
  {
    key: 'finished_overdue',
    status: () => 43,
    holds: (f) => f.flight === 'ended' && (f.total_budget === 'open' || endedFirst(f)),
    fact: 'flight',
    remedy: 'extend_end_date',
  },
  {
    key: 'finished_budget_spent',
    status: () => 42,
    holds: (f) => f.total_budget === 'spent',
    fact: 'total_budget',
    remedy: 'raise_budget',
  },
  // Also listed when the budget was spent first: then it does not decide, but is still true.
  { key: 'finished_overdue', status: () => 43, holds: (f) => f.flight === 'ended', fact: 'flight', remedy: 'extend_end_date' },
  { key: 'paused', status: () => 41, holds: (f) => !f.intent, fact: 'intent', remedy: 'run' },
  // With the status of an account without funds: there is no status for suspended accounts (campaigns.md §4).
  {
    key: 'account_suspended',
    status: (f) => (f.launched === null ? 45 : 44),
    holds: (f) => f.suspended === true,
    fact: 'suspended',
    remedy: 'ask_for_restoration',
  },
  {
    key: 'funding_short',
    status: (f) => (f.launched === null ? 45 : 44),
    holds: (f) => f.funding === 'short',
    fact: 'funding',
    remedy: 'top_up',
  },
  {
    key: 'waiting_for_ad_exchange',
    status: () => 6,
    holds: (f) => f.approved !== null && !anythingCleared(f),
    fact: 'exchanges',
    remedy: 'wait_for_exchange',
  },
  { key: 'waiting_to_start', status: () => 40, holds: (f) => f.flight === 'upcoming', fact: 'flight', remedy: 'wait_for_start' },
  {
    key: 'day_budget_reached',
    status: () => 31,
    holds: (f) => f.day_budget === 'reached',
    fact: 'day_budget',
    remedy: 'raise_budget_or_wait',
  },
]

/** The reasons of a status: the deciding row first, then every later row that matches independently (fine print 15). */
export type StatusReason = {
  readonly key: string
  readonly status_key: StatusKey
  readonly since: string
  readonly revision: number
  readonly cause: string
  readonly actor: string
  readonly remedy: string | null
}

/** The one derived status. Total. */
export function statusOf(facts: Facts): StatusKey {
  for (const row of TABLE) if (row.holds(facts)) return row.status(facts)
  return 3
}

const unknown: Cause = { at: '', revision: 0, event: '', actor: '' }

function reason(facts: Facts, key: string, status: StatusKey, fact: FactName, remedy: string | null): StatusReason {
  const cause = facts.causes[fact] ?? facts.causes.approved ?? facts.causes.head ?? unknown
  return { key, status_key: status, since: cause.at, revision: cause.revision, cause: cause.event, actor: cause.actor, remedy }
}

/**
 * All reasons, coarse and fine. The schedule grid depends on the requested instant, so `scheduleReason` adds it.
 * Before the first approval the facts of serving are undefined, and only the moderation row is given.
 */
export function reasonsOf(facts: Facts): readonly StatusReason[] {
  const rows = TABLE.filter((row) => row.holds(facts))
  const refused = facts.approved !== null && served(facts).some(({ id }) => bestVerdict(facts, id) === 'disapproved')
  const status = rows[0]?.status(facts) ?? 3
  const reasons: StatusReason[] = []
  for (const row of rows) {
    const says = facts.approved !== null || MODERATION_ROWS.has(row.key)
    if (says && !reasons.some(({ key }) => key === row.key))
      // After a refused creative, waiting is not the only option.
      reasons.push(reason(facts, row.key, row.status(facts), row.fact, refused && row.fact === 'exchanges' ? null : row.remedy))
  }
  if (reasons.length === 0) reasons.push(reason(facts, 'running', 3, 'launched', null))
  if (facts.approved !== null) {
    if (facts.review.kind === 'pending') reasons.push(reason(facts, 're_review_pending', status, 'review', 'wait_for_moderator'))
    else if (facts.review.kind === 'rejected')
      reasons.push(reason(facts, 'changes_rejected', status, 'review', 'edit_and_publish'))
    else if (needsModeration(facts)) reasons.push(reason(facts, 'changes_not_published', status, 'head', 'publish_changes'))
    if (refused) reasons.push(reason(facts, 'creative_disapproved', status, 'exchanges', 'edit_creative'))
  }
  return reasons
}
const MODERATION_ROWS: ReadonlySet<string> = new Set(['archived', 'in_moderation', 'rejected', 'draft'])

/** The best over the chosen exchanges: what a creative shows (fine print 16). */
export function bestVerdict(facts: Facts, creativeId: string): ComplianceStatus {
  const verdicts = chosenExchanges(facts.head).map((exchange) => verdictOf(own(facts.decisions[exchange], creativeId)))
  if (verdicts.includes('approved')) return 'approved'
  return verdicts.includes('pending') ? 'pending' : 'disapproved'
}

/**
 * The reasons from audiences that bidders do not read (fine print 62): the campaign does not reach an included one, and with an excluded
 * one it is not served. `read` are those that they read. The status is the same.
 */
export function audienceReasons(facts: Facts, read: ReadonlySet<string>): readonly StatusReason[] {
  if (facts.approved === null) return []
  const { includeAny, include, exclude } = facts.head.targeting.segment_audiences
  const because = (key: string) => reason(facts, key, statusOf(facts), 'head', 'edit_targeting')
  const isSmall = (id: string) => !read.has(id)
  return [
    ...([...includeAny, ...include].some(isSmall) ? [because('audience_small')] : []),
    ...(exclude.some(isSmall) ? [because('excluded_audience_small')] : []),
  ]
}

/** The reason from the schedule grid at one instant (fine print 15); null when it serves then. No slots means always. */
export function scheduleReason(facts: Facts, now: string): StatusReason | null {
  const { head } = facts
  if (!head.freq_and_scheduling_on) return null
  const status = statusOf(facts)
  if (status !== STATUS_KEY.running) return null
  const days = Object.values(head.scheduling)
  if (days.every((hours) => hours.length === 0)) return null
  const local = new Date(Date.parse(now) + (head.timezone_offset_seconds ?? 0) * 1000)
  const hours = head.scheduling[String(local.getUTCDay()) as keyof typeof head.scheduling]
  const hour = String(local.getUTCHours()).padStart(2, '0')
  return hours.includes(hour) ? null : reason(facts, 'outside_schedule', status, 'head', 'edit_schedule')
}
