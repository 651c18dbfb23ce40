import { diffJson, type Change, type Json } from './changes.ts'
import { initialState, type CampaignState } from './state.ts'
import { needsModeration, statusOf } from './status.ts'

/**
 * What the change log compares: the content, and beside it every fact that a commit can set. Two states of one campaign differ
 * exactly where somebody or something changed it, so an entry never comes out empty.
 */
export function logState(state: CampaignState): { readonly [key: string]: Json } {
  const { head, review } = state
  return {
    ...(head as unknown as { readonly [key: string]: Json }),
    status_key: statusOf(state),
    archived: state.archived,
    review: review.kind,
    intent: state.intent,
    need_moderation: needsModeration(state),
    moderation_start_at: state.moderation_start_at,
    moderation_rejected_at: state.moderation_rejected_at,
    moderator_comment: state.moderator_comment,
    approved_version: state.approved?.version ?? null,
    flight: state.flight,
    day_budget: state.day_budget,
    total_budget: state.total_budget,
    funding: state.funding,
    launched_at: state.launched,
    last_run_at: state.last_run_at,
    exchange_decisions: state.decisions,
  }
}

/** Before the first revision nothing is there; every key is null so that the first entry lists what was set. */
export function emptyLogState(): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.keys(logState(initialState)).map((key) => [key, null]))
}

/** The change-log entry of one commit. */
export const logChanges = (before: CampaignState, after: CampaignState): readonly Change[] =>
  diffJson(before.revision === 0 ? emptyLogState() : logState(before), logState(after))
