import { refusalOf, type Fault, type Rejection } from '#domain/kit/errors'
import { apply, diff } from '#domain/kit/json-changes'
import { nothing, refuse, type CampaignCommand, type CommandFacts, type Decision, type Expected, type Save } from '../commands.ts'
import { DEFAULT_CONTENT, type CampaignContent } from '../content/content.ts'
import { laterThan } from '../content/dates.ts'
import type { CampaignEvent } from '../events.ts'
import { withMediaFacts } from '../content/media-rules.ts'
import { publishFaults } from './publish-rules.ts'
import { goesBeyond, reviewedOf, sameReviewed } from '../review/reviewed.ts'
import { saveFaults } from './save-rules.ts'
import { shape, type CampaignPatch } from '../content/shape.ts'
import type { CampaignState } from '../state.ts'
import { needsModeration } from '../status/status.ts'
import { play, withFacts } from '../status/time-and-money.ts'

type SaveMode = {
  readonly publishing: boolean
  readonly restored?: number
  readonly undone?: number
  readonly kept?: readonly string[]
  readonly comment?: string | null
}

export function create(
  command: CampaignCommand & { type: 'CreateCampaign' },
  state: CampaignState,
  facts: CommandFacts,
): Decision {
  const patch: CampaignPatch = command.replicatedFrom === null ? { name: '', ...command.patch } : command.patch
  const shaped = shape(command.base, patch, { ...command, countryOffset: facts.countryOffset, now: facts.now })
  const content = withMediaFacts(shaped.content, facts.references)
  const refusal = judge(content, shaped.faults, state, facts, { publishing: command.publish })
  if (refusal) return { kind: 'rejected', rejection: refusal }
  const { id, spaceId: space_id, whitelabelId: whitelabel_id, replicatedFrom: replicated_from } = command
  const created: CampaignEvent = {
    type: 'CampaignCreated',
    data: { id, space_id, whitelabel_id, content, replicated_from },
  }
  return command.publish
    ? withFacts(state, [created, ...submit(play(state, [created], facts), facts)], facts)
    : withFacts(state, [created], facts)
}

/** Refusals of a save that need no external facts: checked before facts are gathered, and again by `save`. */
export function refusedOutright({ expected }: Expected, state: CampaignState): Decision | null {
  if (state.revision === 0) return refuse(130)
  if (state.archived) return refuse(134)
  if (expected !== null && expected < state.content_revision)
    return refuse(140, [], `Campaign was changed by someone else since revision ${expected}`)
  if (expected !== null && expected > state.revision) return refuse(140, [], `Campaign has no revision ${expected} yet`)
  return null
}

export function save(command: Save & Expected, state: CampaignState, facts: CommandFacts, mode: SaveMode): Decision {
  const outright = refusedOutright(command, state)
  if (outright !== null) return outright
  const shaped = shape(state.head, command.patch, { ...command, countryOffset: facts.countryOffset, now: facts.now })
  const changes = diff(state.head, withMediaFacts(shaped.content, facts.references))
  const head = apply(state.head, changes)
  if (mode.publishing && state.review.kind === 'rejected' && sameReviewed(reviewedOf(head), state.review.reviewed))
    return refuse(139)
  const refusal = judge(head, shaped.faults, state, facts, mode)
  if (refusal) return { kind: 'rejected', rejection: refusal }

  const events: CampaignEvent[] = []
  if (changes.length > 0) {
    const { restored = null, undone = null, kept = [] } = mode
    events.push({ type: 'CampaignUpdated', data: { changes, restored, undone, ...(kept.length > 0 ? { kept } : {}) } })
  }
  const comment = mode.comment?.trim()
  if (comment) events.push({ type: 'CampaignCommented', data: { comment } })
  const saved = play(state, events, facts)
  events.push(...reviewAfterSave(state, saved, facts, mode.publishing))
  return events.length === 0 ? nothing : withFacts(state, events, facts)
}

/** The save's effect on the review: a new submission, a withdrawal, or none (lifecycle.md "Commands", fine print 9). */
function reviewAfterSave(
  before: CampaignState,
  saved: CampaignState,
  facts: CommandFacts,
  publishing: boolean,
): readonly CampaignEvent[] {
  const reviewed = reviewedOf(saved.head)
  if (saved.review.kind === 'pending') {
    const withdraw = saved.approved !== null && !goesBeyond(reviewed, saved.approved.reviewed)
    if (withdraw) return [{ type: 'SubmissionWithdrawn', data: { submission: saved.review.submission } }]
    return goesBeyond(reviewed, reviewedOf(before.head)) ? submit(saved, facts) : []
  }
  if (!publishing) return []
  return saved.approved === null || needsModeration(saved) ? submit(saved, facts) : []
}

function submit(state: CampaignState, { now }: CommandFacts): readonly CampaignEvent[] {
  const submitted: CampaignEvent = {
    type: 'CampaignSubmitted',
    data: { submission: state.submissions + 1, started_at: laterThan(now, state.moderation_start_at) },
  }
  return state.approved === null && !state.intent ? [submitted, { type: 'CampaignSwitchedOn', data: {} }] : [submitted]
}

function judge(
  content: CampaignContent,
  shapeFaults: readonly Fault[],
  state: CampaignState,
  facts: CommandFacts,
  { publishing }: SaveMode,
): Rejection | null {
  const exposed = publishing || state.review.kind === 'pending' || state.approved !== null
  const faults = saveFaults(content, {
    before: state.revision === 0 ? null : state.head,
    now: facts.now,
    strict: exposed,
    publishing: publishing && state.approved === null && state.review.kind !== 'pending',
    launched: state.launched !== null,
    approvedOnce: state.approved !== null,
    nameTaken: facts.nameTaken,
    countryKnown: facts.countryOffset !== null,
    baseBid: facts.baseBid,
    maxMargin: facts.maxMargin,
    references: facts.references,
  })
  return refusalOf([...shapeFaults, ...faults, ...(exposed ? publishFaults(content) : [])])
}

/** Fields of the source that a copy does not take over (campaigns.md §3, "Read-only fields dropped"; fine print 14). */
export function contentForCopy(source: CampaignContent, today: string): CampaignContent {
  const fresh = <T extends { readonly id: string }>(ad: T): T => ({ ...ad, id: '' })
  const { name: _name, ...rest } = source
  return {
    ...DEFAULT_CONTENT,
    ...rest,
    campaign_start_at: today,
    // Lists stay with the campaign they were uploaded for.
    has_whitelist: false,
    campaign_end_at: source.campaign_end_at !== null && source.campaign_end_at > today ? source.campaign_end_at : null,
    dynamic_ad: source.dynamic_ad && fresh(source.dynamic_ad),
    native_ad: source.native_ad && fresh(source.native_ad),
    video_ad: source.video_ad && fresh(source.video_ad),
    audio_ads: source.audio_ads.map(fresh),
    visuals: { banners: source.visuals.banners.map(fresh) },
  }
}
