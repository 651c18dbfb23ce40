import { sql, type Kysely } from 'kysely'
import { creativesOf, fileIdsOf } from '#domain/campaign/content/creatives'
import { nextLocalDay } from '#domain/campaign/content/dates'
import type { CampaignState } from '#domain/campaign/state'
import { idsIn } from '#domain/campaign/saving/references'
import { bestVerdict, chosenExchanges, needsModeration, served, statusOf } from '#domain/campaign/status/status'
import { own } from '#domain/kit/own'
import type { StoredEvent } from '#eventstore/event-store'
import { foldCampaigns, type Folded } from '../fold-rows.ts'
import type { Memory } from '#projections/projector/read-model'
import { upsertRows } from '#projections/projector/table'
import type { Db } from '#migrations/db'
import { type CampaignListRow, type CampaignListTables, type CampaignStateRow } from './tables.ts'

/** Updates the rows of the campaigns of a batch. */
export async function applyCampaignList(
  db: Kysely<Db>,
  tables: CampaignListTables,
  events: readonly StoredEvent[],
  memory: Memory,
): Promise<void> {
  const changed = await foldCampaigns(events, memory, (ids) => readStates(db, tables.campaign_states, ids))
  await upsertCampaigns(db, tables, changed)
}

/** Writes the rows of these campaigns. */
export async function upsertCampaigns(
  db: Kysely<Db>,
  { campaign_list, campaign_states }: CampaignListTables,
  changed: readonly Folded[],
): Promise<void> {
  await upsertRows(db, campaign_list, changed.map(rowOf))
  await upsertRows(db, campaign_states, changed.map(stateRowOf))
}

export const stateRowOf = ({ id, version, state }: Pick<Folded, 'id' | 'version' | 'state'>): CampaignStateRow => ({
  id,
  version,
  files: fileIdsOf(state.head),
  audiences: [...new Set(idsIn(state.head.targeting.segment_audiences))],
  state,
})

export async function readStates(db: Kysely<Db>, states: CampaignListTables['campaign_states'], ids: readonly string[]) {
  const { rows } = await sql<Omit<CampaignStateRow, 'files' | 'audiences'>>`
    select id, version, state from ${states} where id = any(${[...ids]})`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export function rowOf({ id, state, version, position }: Folded): CampaignListRow {
  const { head } = state
  return {
    id,
    space_id: state.space_id,
    whitelabel_id: state.whitelabel_id,
    name: head.name,
    status_key: statusOf(state),
    goal: head.bidding_strategy.goal,
    type: head.bidding_strategy.type,
    campaign_type_key: head.campaign_type_key,
    campaign_start_at: head.campaign_start_at,
    campaign_end_at: head.campaign_end_at,
    budget: head.budget,
    budget_type_key: head.budget_type_key,
    need_moderation: needsModeration(state),
    review: state.review.kind,
    approved: state.approved !== null,
    archived: state.archived,
    funding: state.funding,
    suspended: state.suspended === true,
    day_budget: state.day_budget,
    total_budget: state.total_budget,
    timezone_offset_seconds: head.timezone_offset_seconds ?? 0,
    creatives: creativesOf(head).length,
    creative_status: creativeStatus(state),
    exchange_pending: pendingVerdicts(state).length > 0,
    next_due: nextDue(state),
    moderation_start_at: state.moderation_start_at,
    created_at: state.created_at,
    updated_at: state.updated_at,
    changed_at: state.at,
    revision: state.revision,
    version,
    position,
  }
}

/** The worst over the served creatives (decisions G-092); null while nothing was approved. */
export function creativeStatus(state: CampaignState): CampaignListRow['creative_status'] {
  if (state.approved === null) return null
  const verdicts = served(state).map(({ id }) => bestVerdict(state, id))
  if (verdicts.includes('disapproved')) return 'disapproved'
  if (verdicts.includes('pending')) return 'pending'
  return verdicts.length === 0 ? null : 'approved'
}

/** Pairs of exchange and creative without a decision. */
export function pendingVerdicts(state: CampaignState): readonly { readonly exchange: string; readonly creativeId: string }[] {
  if (state.archived) return []
  const creatives = served(state)
  return chosenExchanges(state.head).flatMap((exchange) => {
    const decided = state.decisions[exchange]
    return creatives.filter(({ id }) => own(decided, id) === undefined).map(({ id }) => ({ exchange, creativeId: id }))
  })
}

/** The next instant at which the clock policy must check this campaign; null when there is none. */
export function nextDue(state: CampaignState): string | null {
  if (state.approved === null || state.archived) return null
  const { head } = state
  const due = [
    state.flight === 'upcoming' ? head.campaign_start_at : null,
    state.flight === 'ended' ? null : head.campaign_end_at,
    state.day_budget === 'reached' && state.causes.day_budget
      ? nextLocalDay(state.causes.day_budget.at, head.timezone_offset_seconds ?? 0)
      : null,
  ].filter((instant) => instant !== null)
  return due.length === 0 ? null : due.reduce((first, instant) => (instant < first ? instant : first))
}
