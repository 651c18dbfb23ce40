import { nothing, type CommandFacts, type Decision } from '../commands.ts'
import type { CampaignContent } from '../content/content.ts'
import { localDay } from '../content/dates.ts'
import type { CampaignEvent, Meta } from '../events.ts'
import { isFundingShort, leftToSpend } from './funding.ts'
import { evolve, type CampaignState } from '../state.ts'
import { statusOf } from './status.ts'

/**
 * A policy's check of time and money, whatever triggered it: all changes are recorded in one commit, so that nothing launches on
 * partial facts. Drafts are skipped: their revisions are their saves (fine print 1).
 */
export function keep(state: CampaignState, facts: CommandFacts): Decision {
  if (state.approved === null) return nothing
  const events = factEvents(state, facts)
  return events.length === 0 ? nothing : withLaunch(state, events, facts)
}

/** The commit's events, followed by the facts that they, the clock and the balance changed, and by the launch if one results. */
export function withFacts(state: CampaignState, events: readonly CampaignEvent[], facts: CommandFacts): Decision {
  const after = play(state, events, facts)
  const known = factEvents(after, facts)
  // Facts precede an event that could launch, so that no prefix of a commit runs on outdated facts.
  const at = events.findIndex(({ type }) => COULD_LAUNCH.has(type))
  const ordered = at === -1 ? [...events, ...known] : [...events.slice(0, at), ...known, ...events.slice(at)]
  return withLaunch(state, ordered, facts)
}

const COULD_LAUNCH: ReadonlySet<CampaignEvent['type']> = new Set([
  'CampaignSwitchedOn',
  'CampaignApproved',
  'CampaignUnarchived',
  'ExchangeDecided',
])

function withLaunch(state: CampaignState, events: readonly CampaignEvent[], facts: CommandFacts): Decision {
  const after = play(state, events, facts)
  const launches = after.launched === null && statusOf(after) === 3
  return { kind: 'events', events: launches ? [...events, { type: 'CampaignLaunched', data: {} }] : events }
}

/** Events for the facts that differ from the current clock, spend and balance. */
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
  if (spent && state.total_budget === 'open') {
    const { totalSpentAt: due } = facts
    events.push({ type: 'TotalBudgetSpent', data: due === undefined ? {} : { due } })
  }
  if (!spent && state.total_budget === 'spent') events.push({ type: 'TotalBudgetReopened', data: {} })
  const short = isFundingShort(facts.available, leftToSpend(head, facts))
  if (short && state.funding === 'ok') events.push({ type: 'FundingFellShort', data: {} })
  if (!short && state.funding === 'short') events.push({ type: 'FundingRestored', data: {} })
  const suspended = facts.suspended === true
  if (suspended && state.suspended !== true) events.push({ type: 'ServingSuspended', data: {} })
  if (!suspended && state.suspended === true) events.push({ type: 'ServingRestored', data: {} })
  return events
}

/** The phase of the flight at an instant; `due` is the boundary that started it. */
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
