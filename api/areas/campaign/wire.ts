import { may, type Actor } from '#domain/kit/access'
import type { Change, Json } from '#domain/kit/json-changes'
import { equal } from '#domain/kit/json-changes'
import { isOwnerPath, MONEY_KEYS, type CampaignContent } from '#domain/campaign/content/content'
import { holdsCreatives, sameMaterial, shownChange, withFileAddresses } from '#domain/campaign/content/creatives'
import { REVIEWED_PATHS, reviewedOf, SWITCHES } from '#domain/campaign/review/reviewed'
import type { CampaignState } from '#domain/campaign/state'
import {
  audienceReasons,
  bestVerdict,
  chosenExchanges,
  needsModeration,
  reasonsOf,
  scheduleReason,
  statusOf,
  verdictOf,
  type ServingDecision,
  type StatusReason,
} from '#domain/campaign/status/status'
import { own } from '#domain/kit/own'
import { fromMicros } from '#domain/kit/money'
import type { Campaign } from '#contract/campaign-body'

/** Campaigns as one reader sees them: money as numbers, owner fields only with the right to see them. */
export type Viewer = {
  readonly actor: Actor
  readonly seesOwnerFields: boolean
  /** How this reader's answers name a person (fine print 28). */
  readonly actorName: (id: string, event: string) => string
  readonly now: string
  /** Ids of audiences that bidders read with the campaign; null where that is not known, as of a moment before. */
  readonly audiences: ReadonlySet<string> | null
}

type Loose = { readonly [key: string]: Json }
const moneyKeys: ReadonlySet<string> = new Set(MONEY_KEYS)
const asMoney = (value: Json): Json => (typeof value === 'number' ? fromMicros(value) : value)

/** Content, or any object with content's keys, in wire format. */
export function contentOut(content: Loose, seesOwnerFields: boolean): Loose {
  const out: Record<string, Json> = {}
  for (const key of Object.keys(content)) {
    if (!seesOwnerFields && isOwnerPath(key)) continue
    const value = content[key] ?? null
    if (holdsCreatives(key)) out[key] = withFileAddresses(value)
    else if (key === 'traffic_targeting') out[key] = typeof value === 'string' || value === null ? value : JSON.stringify(value)
    else out[key] = moneyKeys.has(key) ? asMoney(value) : value
  }
  return out
}

export const changesOut = (changes: readonly Change[], seesOwnerFields: boolean): readonly Change[] =>
  changes.flatMap((change) => {
    const shown = seesOwnerFields || !isOwnerPath(change.path) ? shownChange(change) : null
    if (shown === null) return []
    const { path, from, to } = shown
    return [moneyKeys.has(path) ? { path, from: asMoney(from), to: asMoney(to) } : { path, from, to }]
  })

export function reasonsOut(state: CampaignState, viewer: Viewer): StatusReason[] {
  const schedule = scheduleReason(state, viewer.now)
  const audiences = viewer.audiences === null ? [] : audienceReasons(state, viewer.audiences)
  return [...reasonsOf(state), ...(schedule ? [schedule] : []), ...audiences].map((reason) => ({
    ...reason,
    actor: viewer.actorName(reason.actor, reason.cause),
  }))
}

/** Everything a reader gets of one campaign. Figures are zero until delivery is recorded. */
export function campaignOut(state: CampaignState, viewer: Viewer): Campaign {
  const content = contentOut(withDecisions(state), viewer.seesOwnerFields)
  return {
    ...(content as unknown as Campaign),
    id: state.id,
    space_id: state.space_id,
    status_key: statusOf(state),
    status_reasons: reasonsOut(state, viewer),
    revision: state.revision,
    replicated_from: state.replicated_from?.id ?? null,
    replicated_revision: state.replicated_from?.revision ?? null,
    need_moderation: needsModeration(state),
    moderation_start_at: state.moderation_start_at,
    moderation_rejected_at: state.moderation_rejected_at,
    moderator_comment: state.moderator_comment,
    review: state.review.kind,
    approved_version: state.approved?.version ?? null,
    unapproved_changes: [...unapproved(state)],
    intent: state.intent,
    last_run_at: state.last_run_at,
    created_at: state.created_at,
    updated_at: state.updated_at,
    deleted_at: null,
    budget_spent: 0,
    daily_budget_spent: 0,
    impressions: 0,
    clicks: 0,
  }
}

/** Each creative with its verdicts: the best of the chosen exchanges (none while one is pending), and all of them. */
export function withDecisions(state: CampaignState): CampaignContent {
  const exchanges = chosenExchanges(state.head)
  const decorate = <T extends { readonly id: string }>(creative: T): T => {
    const decided: Record<string, ServingDecision> = {}
    for (const exchange of exchanges) {
      const decision = own(state.decisions[exchange], creative.id)
      if (decision !== undefined) decided[exchange] = decision
    }
    // A missing decision counts as pending, so a refusal is the best only when all have refused.
    const verdict = bestVerdict(state, creative.id)
    return {
      ...creative,
      creativeServingDecision: Object.values(decided).find((decision) => verdictOf(decision) === verdict) ?? null,
      exchange_decisions: decided,
      content_version: own(state.approved?.versions, creative.id) ?? null,
    }
  }
  const { head } = state
  return {
    ...head,
    dynamic_ad: head.dynamic_ad && decorate(head.dynamic_ad),
    native_ad: head.native_ad && decorate(head.native_ad),
    video_ad: head.video_ad && decorate(head.video_ad),
    audio_ads: head.audio_ads.map(decorate),
    visuals: { banners: head.visuals.banners.map(decorate) },
  }
}

/** Content that the head holds beyond the approved version, field by field, for moderators. */
function unapproved({ approved, head }: CampaignState): readonly Change[] {
  if (approved === null) return []
  const [was, is] = [approved.reviewed, reviewedOf(head)]
  const changes: Change[] = []
  const compare = (path: string, from: Json, to: Json) => {
    if (!equal(from, to)) changes.push({ path, from, to })
  }
  for (const path of REVIEWED_PATHS) compare(path, was.fields[path] ?? null, is.fields[path] ?? null)
  for (const name of SWITCHES) compare(name, was.switches[name], is.switches[name])
  for (const { id, path, material } of Object.values(is.creatives))
    if (!sameMaterial(own(was.creatives, id)?.material ?? null, material))
      compare(path, withFileAddresses(own(was.creatives, id)?.material ?? null), withFileAddresses(material))
  return changes
}

/** Whether a reader may see owner fields in one place. */
export const seesOwnerFields = (actor: Actor, place: { readonly whitelabelId: string; readonly spaceId: string }): boolean =>
  may(actor, 'owner-fields.read', place)
