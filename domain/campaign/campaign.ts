import { reject, refusalOf, type Fault, type Rejection } from '../errors.ts'
import { apply, diff, equal, invert, type Change, type Json } from './changes.ts'
import { DEFAULT_CONTENT, type CampaignContent } from './content.ts'
import { laterThan, localDay } from './dates.ts'
import type { CampaignEvent, Meta } from './events.ts'
import { publishFaults } from './publish-rules.ts'
import { reviewedOf, sameReviewed, goesBeyond } from './reviewed.ts'
import { saveFaults } from './save-rules.ts'
import { shape, type CampaignPatch } from './shape.ts'
import { evolve, type CampaignState } from './state.ts'
import { chosenExchanges, needsModeration, served, statusOf, type ServingDecision } from './status.ts'

/** What a decision needs to know of the world; gathered by the handler, never looked up here (fine print 1). */
export type CommandFacts = {
  readonly now: string
  /** Balance and credit of the space, in micros. */
  readonly available: number
  /** Billed spend of the campaign: its local today, and since it began. Micros. */
  readonly spentToday: number
  readonly spentTotal: number
  readonly baseBid: number
  readonly maxMargin: number
  readonly nameTaken: boolean
  /** Offset of the country the command names, or else of the stored one; null for an unknown country. */
  readonly countryOffset: number | null
  readonly missingFiles: ReadonlySet<string>
}

type Save = {
  readonly patch: CampaignPatch
  readonly newIds: readonly string[]
  readonly mayWriteOwnerFields: boolean
}
/** The revision the caller edited; null saves over whatever is newest. */
type Expected = { readonly expected: number | null }

export type CampaignCommand =
  | ({
      readonly type: 'CreateCampaign'
      readonly id: string
      readonly spaceId: string
      readonly whitelabelId: string
      readonly replicatedFrom: { readonly id: string; readonly revision: number } | null
      /** Content to start from: the defaults, or the source of a replicate. */
      readonly base: CampaignContent
      readonly publish: boolean
    } & Save)
  | ({ readonly type: 'UpdateCampaign' } & Save & Expected)
  | ({ readonly type: 'PublishCampaign' } & Save & Expected)
  | {
      readonly type: 'ApproveCampaign'
      readonly moderationStartAt: string | null
      readonly categoryKeys: readonly string[] | null
      readonly exchangeId: readonly string[] | null
    }
  | { readonly type: 'RejectCampaign'; readonly moderationStartAt: string | null; readonly comment: string }
  | { readonly type: 'RunCampaign' }
  | { readonly type: 'PauseCampaign' }
  | { readonly type: 'ToggleArchive' }
  | ({ readonly type: 'RestoreRevision'; readonly restored: number; readonly content: CampaignContent } & Omit<Save, 'patch'> &
      Expected)
  | ({
      readonly type: 'UndoRevision'
      readonly undone: number
      readonly changes: readonly Change[]
      /** Later changes of content, newest last: what an undo may collide with. */
      readonly later: readonly { readonly revision: number; readonly changes: readonly Change[] }[]
    } & Omit<Save, 'patch'>)
  | {
      readonly type: 'DecideExchange'
      /** Taken or refused together: one commit, one change-log entry. */
      readonly verdicts: readonly ExchangeVerdict[]
    }
  | { readonly type: 'KeepClock' }
  | { readonly type: 'KeepSpend' }
  | { readonly type: 'KeepFunding' }

/** What an exchange says about a creative. Without `contentVersion` it is about what serves now (fine print 16). */
export type ExchangeVerdict = {
  readonly exchange: string
  readonly creativeId: string
  readonly contentVersion: number | null
  readonly decision: ServingDecision
}

export type Decision =
  | { readonly kind: 'events'; readonly events: readonly CampaignEvent[]; readonly kept?: readonly string[] }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

const nothing: Decision = { kind: 'events', events: [] }
const refuse = (code: Rejection['code'], faults: readonly Fault[] = [], message?: string): Decision => ({
  kind: 'rejected',
  rejection: reject(code, faults, message),
})

/** Events that the command leads to, or a named refusal (lifecycle.md "Commands"). Pure: the same arguments, the same answer. */
export function decide(command: CampaignCommand, state: CampaignState, facts: CommandFacts): Decision {
  const creating = command.type === 'CreateCampaign'
  if (creating !== (state.revision === 0)) return creating ? nothing : refuse(130)
  switch (command.type) {
    case 'CreateCampaign':
      return create(command, state, facts)
    case 'UpdateCampaign':
      return save(command, state, facts, { publishing: false })
    case 'PublishCampaign':
      return save(command, state, facts, { publishing: true })
    case 'ApproveCampaign':
      return approve(command, state, facts)
    case 'RejectCampaign':
      return rejectSubmission(command, state)
    case 'RunCampaign':
      return run(state, facts)
    case 'PauseCampaign':
      return pause(state)
    case 'ToggleArchive':
      return toggleArchive(state, facts)
    case 'RestoreRevision':
      return restore(command, state, facts)
    case 'UndoRevision':
      return undo(command, state, facts)
    case 'DecideExchange':
      return decideExchange(command, state, facts)
    case 'KeepClock':
    case 'KeepSpend':
    case 'KeepFunding':
      return keep(state, facts)
    default:
      return unreachable(command)
  }
}

const unreachable = (_: never): Decision => nothing

// ── saving ──────────────────────────────────────────────────────────────────

type SaveMode = { readonly publishing: boolean; readonly restored?: number; readonly undone?: number }

function create(command: CampaignCommand & { type: 'CreateCampaign' }, state: CampaignState, facts: CommandFacts): Decision {
  const patch: CampaignPatch = command.replicatedFrom === null ? { name: '', ...command.patch } : command.patch
  const shaped = shape(command.base, patch, { ...command, countryOffset: facts.countryOffset, now: facts.now })
  const refusal = judge(shaped.content, shaped.faults, state, facts, { publishing: command.publish })
  if (refusal) return { kind: 'rejected', rejection: refusal }
  const { id, spaceId: space_id, whitelabelId: whitelabel_id, replicatedFrom: replicated_from } = command
  const created: CampaignEvent = {
    type: 'CampaignCreated',
    data: { id, space_id, whitelabel_id, content: shaped.content, replicated_from },
  }
  return command.publish
    ? withFacts(state, [created, ...submit(play(state, [created], facts), facts)], facts)
    : withFacts(state, [created], facts)
}

function save(command: Save & Expected, state: CampaignState, facts: CommandFacts, mode: SaveMode): Decision {
  if (state.archived) return refuse(134)
  if (command.expected !== null && command.expected < state.content_revision)
    return refuse(140, [], `Campaign was changed by someone else since revision ${command.expected}`)
  const shaped = shape(state.head, command.patch, { ...command, countryOffset: facts.countryOffset, now: facts.now })
  const changes = diff(state.head, shaped.content)
  const head = apply(state.head, changes)
  if (mode.publishing && state.review.kind === 'rejected' && sameReviewed(reviewedOf(head), state.review.reviewed))
    return refuse(139)
  const refusal = judge(head, shaped.faults, state, facts, mode)
  if (refusal) return { kind: 'rejected', rejection: refusal }

  const events: CampaignEvent[] = []
  if (changes.length > 0)
    events.push({ type: 'CampaignUpdated', data: { changes, restored: mode.restored ?? null, undone: mode.undone ?? null } })
  const saved = play(state, events, facts)
  events.push(...reviewAfterSave(state, saved, facts, mode.publishing))
  return events.length === 0 ? nothing : withFacts(state, events, facts)
}

/** What a save means for the review: a new submission, a withdrawal, or nothing (lifecycle "Commands", fine print 9). */
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
    publishing: publishing && state.approved === null,
    launched: state.launched !== null,
    approvedOnce: state.approved !== null,
    nameTaken: facts.nameTaken,
    countryKnown: facts.countryOffset !== null,
    baseBid: facts.baseBid,
    maxMargin: facts.maxMargin,
    missingFiles: facts.missingFiles,
  })
  return refusalOf([...shapeFaults, ...faults, ...(exposed ? publishFaults(content) : [])])
}

// ── moderation ──────────────────────────────────────────────────────────────

function pendingOr(state: CampaignState, moderationStartAt: string | null): Decision | number {
  if (state.archived) return refuse(134)
  if (state.review.kind !== 'pending') return refuse(136)
  if (moderationStartAt === null || Date.parse(moderationStartAt) !== Date.parse(state.review.started_at)) return refuse(138)
  return state.review.submission
}

function approve(command: CampaignCommand & { type: 'ApproveCampaign' }, state: CampaignState, facts: CommandFacts): Decision {
  const submission = pendingOr(state, command.moderationStartAt)
  if (typeof submission !== 'number') return submission
  const chosen: CampaignContent = {
    ...state.head,
    campaign_category_keys: command.categoryKeys ?? state.head.campaign_category_keys,
    exchange_id: command.exchangeId ?? state.head.exchange_id,
  }
  const changes = diff(state.head, chosen)
  const version = (state.approved?.version ?? 0) + 1
  return withFacts(state, [{ type: 'CampaignApproved', data: { submission, version, changes } }], facts)
}

function rejectSubmission(command: CampaignCommand & { type: 'RejectCampaign' }, state: CampaignState): Decision {
  const submission = pendingOr(state, command.moderationStartAt)
  if (typeof submission !== 'number') return submission
  const comment = command.comment.trim()
  if (comment === '') return refuse(1301, [{ path: 'comment', code: 1301, message: 'Field is required.', key: 'required' }])
  return { kind: 'events', events: [{ type: 'CampaignRejected', data: { submission, comment } }] }
}

// ── running ─────────────────────────────────────────────────────────────────

function run(state: CampaignState, facts: CommandFacts): Decision {
  switch (statusOf(state)) {
    case 41:
      return withFacts(state, [{ type: 'CampaignSwitchedOn', data: {} }], facts)
    case 40:
    case 44:
    case 45:
      return nothing
    case 5: {
      if (state.approved === null) return refuse(137)
      const on: CampaignEvent[] = state.intent ? [] : [{ type: 'CampaignSwitchedOn', data: {} }]
      return withFacts(state, [{ type: 'CampaignUnarchived', data: {} }, ...on], facts)
    }
    case 0:
    case 2:
      return refuse(137)
    case 1:
    case 3:
    case 6:
    case 31:
    case 42:
    case 43:
      return refuse(134)
  }
}

const PAUSABLE: readonly number[] = [3, 6, 31, 40, 44, 45]

function pause(state: CampaignState): Decision {
  if (!PAUSABLE.includes(statusOf(state))) return refuse(134)
  return { kind: 'events', events: [{ type: 'CampaignSwitchedOff', data: {} }] }
}

function toggleArchive(state: CampaignState, facts: CommandFacts): Decision {
  if (!state.archived) {
    const withdrawn: CampaignEvent[] =
      state.review.kind === 'pending' ? [{ type: 'SubmissionWithdrawn', data: { submission: state.review.submission } }] : []
    return { kind: 'events', events: [...withdrawn, { type: 'CampaignArchived', data: {} }] }
  }
  const off: CampaignEvent[] = state.intent ? [{ type: 'CampaignSwitchedOff', data: {} }] : []
  return withFacts(state, [...off, { type: 'CampaignUnarchived', data: {} }], facts)
}

// ── looking back ────────────────────────────────────────────────────────────

/** Keys whose rules may forbid going back; then they keep their present value and are named in `kept` (fine print 13). */
const HELD_BACK = {
  name: [1312],
  country: [2],
  campaign_start_at: [1303, 1304, 1306],
  campaign_end_at: [1303, 1305],
  budget_type_key: [1307],
  bidding_strategy: [1310],
} as const satisfies Partial<Record<keyof CampaignContent, readonly number[]>>

function restore(command: CampaignCommand & { type: 'RestoreRevision' }, state: CampaignState, facts: CommandFacts): Decision {
  if (state.archived) return refuse(134)
  const { patch, kept } = permitted(patchOf(command.content), state, command, facts)
  const decision = save({ ...command, patch }, state, facts, { publishing: false, restored: command.restored })
  return decision.kind === 'events' ? { ...decision, kept } : decision
}

function undo(command: CampaignCommand & { type: 'UndoRevision' }, state: CampaignState, facts: CommandFacts): Decision {
  if (state.archived) return refuse(134)
  const touches = (path: string) =>
    command.changes.some(
      (change) =>
        change.path === path ||
        path.startsWith(`${change.path}.`) ||
        path.startsWith(`${change.path}[`) ||
        change.path.startsWith(`${path}.`) ||
        change.path.startsWith(`${path}[`),
    )
  const conflicts = command.later.filter(({ changes }) => changes.some(({ path }) => touches(path)))
  if (conflicts.length > 0)
    return refuse(
      140,
      conflicts.map(({ revision }) => ({
        path: `revision.${revision}`,
        code: 140,
        message: `Changed again in revision ${revision}`,
      })),
    )
  const target = apply(state.head, invert(command.changes))
  const { patch, kept } = permitted(patchOf(target), state, command, facts)
  const decision = save({ ...command, patch, expected: null }, state, facts, { publishing: false, undone: command.undone })
  return decision.kind === 'events' ? { ...decision, kept } : decision
}

const patchOf = (content: CampaignContent): CampaignPatch => {
  const { timezone_offset_seconds: _zone, ...rest } = content
  return rest
}

function permitted(patch: CampaignPatch, state: CampaignState, command: Omit<Save, 'patch'>, facts: CommandFacts) {
  const kept: string[] = []
  let result = patch
  for (const [key, codes] of entriesOf(HELD_BACK)) {
    if (same(patch[key], state.head[key])) continue
    const alone = shape(state.head, { [key]: patch[key] }, { ...command, countryOffset: facts.countryOffset, now: facts.now })
    const faults = forbiddenFaults(alone.content, state, facts)
    const forbidden: readonly number[] = codes
    if (!faults.some(({ path, code }) => forbidden.includes(code) && (path === key || path.startsWith(`${key}.`)))) continue
    if (key === 'bidding_strategy') {
      result = { ...result, bidding_strategy: keepApp(patch, state) }
      kept.push('bidding_strategy.app_promotion.bundle_id')
    } else {
      const { [key]: _held, ...rest } = result
      result = rest
      kept.push(key)
    }
  }
  return { patch: result, kept }
}

const same = (a: unknown, b: unknown): boolean => equal(a as Json, b as Json)

const keepApp = (patch: CampaignPatch, { head }: CampaignState): CampaignPatch['bidding_strategy'] => ({
  ...patch.bidding_strategy,
  app_promotion: {
    ...patch.bidding_strategy?.app_promotion,
    bundle_id: head.bidding_strategy.app_promotion.bundle_id,
    app_platform_type: head.bidding_strategy.app_promotion.app_platform_type,
  },
})

const forbiddenFaults = (content: CampaignContent, state: CampaignState, facts: CommandFacts): readonly Fault[] =>
  saveFaults(content, {
    before: state.head,
    now: facts.now,
    strict: false,
    publishing: false,
    launched: state.launched !== null,
    approvedOnce: state.approved !== null,
    nameTaken: facts.nameTaken && content.name !== state.head.name,
    countryKnown: true,
    baseBid: facts.baseBid,
    maxMargin: facts.maxMargin,
    missingFiles: new Set(),
  })

const entriesOf = <T extends object>(table: T) => Object.entries(table) as { [K in keyof T]: [K, T[K]] }[keyof T][]

// ── exchanges ───────────────────────────────────────────────────────────────

function decideExchange(
  command: CampaignCommand & { type: 'DecideExchange' },
  state: CampaignState,
  facts: CommandFacts,
): Decision {
  if (state.approved === null) return refuse(134)
  const events: CampaignEvent[] = []
  for (const { exchange, creativeId, contentVersion, decision } of command.verdicts) {
    if (!chosenExchanges(state.head).some((name) => name === exchange)) return refuse(131)
    const current = state.approved.versions[creativeId]
    if (current === undefined || !served(state).some(({ id }) => id === creativeId)) return refuse(132)
    const content_version = contentVersion ?? current
    const known = state.decisions[exchange]?.[creativeId]
    if (content_version === current && known !== undefined && same(known, decision)) continue
    events.push({ type: 'ExchangeDecided', data: { exchange, creative_id: creativeId, content_version, decision } })
  }
  return events.length === 0 ? nothing : withLaunch(state, events, facts)
}

// ── time and money ──────────────────────────────────────────────────────────

/**
 * A policy's look at time and money, whatever made it look: all that changed is recorded in one commit, so that nothing launches on
 * half of the facts. Drafts are left alone: their revisions are their saves (fine print 1).
 */
function keep(state: CampaignState, facts: CommandFacts): Decision {
  if (state.approved === null) return nothing
  const events = factEvents(state, facts)
  return events.length === 0 ? nothing : withLaunch(state, events, facts)
}

/** The commit's events followed by whatever facts they, the clock and the balance changed, and the launch if that is what came of it. */
function withFacts(state: CampaignState, events: readonly CampaignEvent[], facts: CommandFacts): Decision {
  const after = play(state, events, facts)
  const known = factEvents(after, facts)
  // Facts stand before a switch that could launch, so that no prefix of a commit runs on yesterday's facts.
  const at = events.findIndex(
    ({ type }) => type === 'CampaignSwitchedOn' || type === 'CampaignApproved' || type === 'CampaignUnarchived',
  )
  const ordered = at === -1 ? [...events, ...known] : [...events.slice(0, at), ...known, ...events.slice(at)]
  return withLaunch(state, ordered, facts)
}

function withLaunch(state: CampaignState, events: readonly CampaignEvent[], facts: CommandFacts): Decision {
  const after = play(state, events, facts)
  const launches = after.launched === null && statusOf(after) === 3
  return { kind: 'events', events: launches ? [...events, { type: 'CampaignLaunched', data: {} }] : events }
}

/** Events for the facts that differ from what clock, spend and balance say now. */
function factEvents(state: CampaignState, facts: CommandFacts): readonly CampaignEvent[] {
  const events: CampaignEvent[] = []
  const { head } = state
  const { flight, due } = flightAt(head, facts.now)
  if (flight !== state.flight) events.push({ type: 'FlightChanged', data: { flight, due } })
  const budget = head.budget ?? 0
  const day = localDay(facts.now, head.timezone_offset_seconds ?? 0)
  const reached = head.budget_type_key === 2 && budget > 0 && facts.spentToday >= budget
  if (reached && state.day_budget === 'open') events.push({ type: 'DayBudgetReached', data: { day } })
  if (!reached && state.day_budget === 'reached') events.push({ type: 'DayBudgetReopened', data: { day } })
  const spent = head.budget_type_key === 1 && budget > 0 && facts.spentTotal >= budget
  if (spent && state.total_budget === 'open') events.push({ type: 'TotalBudgetSpent', data: {} })
  if (!spent && state.total_budget === 'spent') events.push({ type: 'TotalBudgetReopened', data: {} })
  const left = Math.max(0, budget - (head.budget_type_key === 1 ? facts.spentTotal : facts.spentToday))
  const short = facts.available <= 0 || facts.available < left
  if (short && state.funding === 'ok') events.push({ type: 'FundingFellShort', data: {} })
  if (!short && state.funding === 'short') events.push({ type: 'FundingRestored', data: {} })
  return events
}

/** Where an instant stands in the flight; `due` is the boundary that put it there. */
export function flightAt(
  head: CampaignContent,
  now: string,
): { readonly flight: CampaignState['flight']; readonly due: string | null } {
  const { campaign_start_at: start, campaign_end_at: end } = head
  if (end !== null && now >= end) return { flight: 'ended', due: end }
  if (start !== null && now < start) return { flight: 'upcoming', due: start }
  return { flight: 'open', due: start }
}

/** State as it would be if these events were committed now. */
export function play(state: CampaignState, events: readonly CampaignEvent[], facts: Pick<CommandFacts, 'now'>): CampaignState {
  const meta: Meta = { at: laterOf(facts.now, state.at), revision: state.revision + 1, actor: '' }
  return events.reduce((current, event) => evolve(current, event, meta), state)
}

const laterOf = (a: string, b: string): string => (a > b ? a : b)

/** Fields of the source that a copy does not take over (campaign.md §3, "Read-only fields dropped"; fine print 14). */
export function contentForCopy(source: CampaignContent, today: string): CampaignContent {
  const fresh = <T extends { readonly id: string }>(ad: T): T => ({ ...ad, id: '' })
  const { name: _name, ...rest } = source
  return {
    ...DEFAULT_CONTENT,
    ...rest,
    campaign_start_at: today,
    campaign_end_at: source.campaign_end_at !== null && source.campaign_end_at > today ? source.campaign_end_at : null,
    dynamic_ad: source.dynamic_ad && fresh(source.dynamic_ad),
    native_ad: source.native_ad && fresh(source.native_ad),
    video_ad: source.video_ad && fresh(source.video_ad),
    audio_ads: source.audio_ads.map(fresh),
    visuals: { banners: source.visuals.banners.map(fresh) },
  }
}
