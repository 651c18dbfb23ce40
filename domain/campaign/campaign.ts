import { own } from '../kit/own.ts'
import { diff, equal } from '../kit/json-changes.ts'
import { nothing, refuse, type CampaignCommand, type CommandFacts, type Decision } from './commands.ts'
import type { CampaignContent } from './content/content.ts'
import type { CampaignEvent } from './events.ts'
import { takeSecondLook } from './review/second-look.ts'
import { restore, undo } from './saving/looking-back.ts'
import { create, save } from './saving/saving.ts'
import type { CampaignState } from './state.ts'
import { chosenExchanges, served, statusOf } from './status/status.ts'
import { keep, withFacts } from './status/time-and-money.ts'

/** Returns the command's events, or a named refusal (lifecycle.md "Commands"). Pure and deterministic. */
export function decide(command: CampaignCommand, state: CampaignState, facts: CommandFacts): Decision {
  const creating = command.type === 'CreateCampaign'
  if (creating !== (state.revision === 0)) return creating ? nothing : refuse(130)
  switch (command.type) {
    case 'CreateCampaign':
      return create(command, state, facts)
    case 'UpdateCampaign':
      return save(command, state, facts, { publishing: false, comment: command.comment ?? null })
    case 'PublishCampaign':
      return save(command, state, facts, { publishing: true })
    case 'ApproveCampaign':
      return approve(command, state, facts)
    case 'RejectCampaign':
      return rejectSubmission(command, state)
    case 'TakeSecondLook':
      return takeSecondLook(command, state)
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

// ── moderation ──────────────────────────────────────────────────────────────

function pendingOr(state: CampaignState, moderationStartAt: string | null, ownWork = false): Decision | number {
  if (state.archived) return refuse(134)
  if (state.review.kind !== 'pending') return refuse(136)
  if (ownWork) return refuse(3, [], 'Someone else must approve what you made or submitted')
  if (moderationStartAt === null || Date.parse(moderationStartAt) !== Date.parse(state.review.started_at)) return refuse(138)
  return state.review.submission
}

function approve(command: CampaignCommand & { type: 'ApproveCampaign' }, state: CampaignState, facts: CommandFacts): Decision {
  const submission = pendingOr(state, command.moderationStartAt, command.ownWork)
  if (typeof submission !== 'number') return submission
  const chosen: CampaignContent = {
    ...state.head,
    campaign_category_keys: command.categoryKeys ?? state.head.campaign_category_keys,
    exchange_id: command.exchangeId ?? state.head.exchange_id,
  }
  const changes = diff(state.head, chosen)
  const version = (state.approved?.version ?? state.revoked_version ?? 0) + 1
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
    const current = own(state.approved.versions, creativeId)
    if (current === undefined || !served(state).some(({ id }) => id === creativeId)) return refuse(132)
    const content_version = contentVersion ?? current
    const known = own(state.decisions[exchange], creativeId)
    if (content_version === current && known !== undefined && equal(known, decision)) continue
    events.push({ type: 'ExchangeDecided', data: { exchange, creative_id: creativeId, content_version, decision } })
  }
  return events.length === 0 ? nothing : withFacts(state, events, facts)
}
