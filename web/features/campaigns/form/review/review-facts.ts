import { isReviewedChange } from '#domain/campaign/review/reviewed'
import type { Json } from '#domain/kit/json-changes'
import { isFundingShort, leftToSpend } from '#domain/campaign/status/funding'
import type { Campaign, CampaignInput } from '#contract/campaign-body'
import type { DryRun } from '#contract/campaign-answers'

/** Effects of a publication, apart from its content. Amounts are in the currency of the account. */

/** `new`: nothing is approved yet, so all of it waits. */
export type Outcome = 'new' | 'waits' | 'live'

export const outcomeOf = (campaign: Campaign | null, { moderator_needed }: Pick<DryRun, 'moderator_needed'>): Outcome =>
  !moderator_needed ? 'live' : (campaign?.approved_version ?? null) === null ? 'new' : 'waits'

/** Which changes serve at once, and which wait for a moderator. */
export function splitChanges(changes: DryRun['diff'], outcome: Outcome) {
  const waits = (change: DryRun['diff'][number]) =>
    outcome !== 'live' && isReviewedChange({ path: change.path, to: change.to as Json })
  return { live: changes.filter((change) => !waits(change)), waiting: changes.filter(waits) }
}

const DAY_MS = 86_400_000
/** A month of spending, days. */
export const MONTH_DAYS = 30

export type Cost = {
  readonly kind: 'daily' | 'total'
  readonly budget: number
  /** The most that 30 days can cost; null for a budget of the whole campaign. */
  readonly month: number | null
  /** The most that the whole campaign can cost; null without an end. */
  readonly whole: number | null
}

/** Null without a budget. `now` is a time in milliseconds. */
export function costOf(body: CampaignInput, campaign: Campaign | null, now: number): Cost | null {
  const budget = body.budget ?? null
  if (budget === null) return null
  if (campaign?.budget_type_key === 1) return { kind: 'total', budget, month: null, whole: budget }
  const days = daysOf(body.campaign_start_at, body.campaign_end_at, now)
  return { kind: 'daily', budget, month: budget * MONTH_DAYS, whole: days === null ? null : budget * days }
}

/** Begun days of a flight, from now on; null without an end. */
function daysOf(start: Instant, end: Instant, now: number): number | null {
  const last = timeOf(end)
  if (last === null) return null
  const first = Math.max(timeOf(start) ?? now, now)
  return Math.max(1, Math.ceil((last - first) / DAY_MS))
}

type Instant = CampaignInput['campaign_start_at']
function timeOf(instant: Instant): number | null {
  if (instant === null || instant === undefined) return null
  const time = typeof instant === 'number' ? instant : Date.parse(instant)
  return Number.isNaN(time) ? null : time
}

export type Funding = {
  readonly short: boolean
  /** Budget that may still be spent today, or in all. */
  readonly left: number
  /** Whole days that the balance pays for at this budget alone; null for a budget of the whole campaign. */
  readonly days: number | null
}

export function fundingOf(cost: Cost, campaign: Campaign | null, available: number): Funding {
  const spent = { spentToday: campaign?.daily_budget_spent ?? 0, spentTotal: campaign?.budget_spent ?? 0 }
  const left = leftToSpend({ budget: cost.budget, budget_type_key: cost.kind === 'total' ? 1 : 2 }, spent)
  const days = cost.kind === 'total' || cost.budget <= 0 ? null : Math.floor(Math.max(0, available) / cost.budget)
  return { short: isFundingShort(available, left), left, days }
}
