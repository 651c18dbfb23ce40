import { diffJson, type Change, type JsonObject } from '../kit/json-changes.ts'
import { initial as initialState, type CampaignState } from './state.ts'
import { wholeChange, wholeContent } from './content/whole.ts'
import type { CampaignEvent } from './events.ts'
import { needsModeration, statusOf } from './status/status.ts'
import type { StatusKey } from './status/status-keys.ts'

/**
 * The state that the change log compares: the content, and every fact that a commit can set. Two states of one campaign differ
 * exactly where a user or the system changed it, so an entry is never empty.
 */
export const logState = (state: CampaignState): JsonObject => ({ ...contentOf(state), ...factsOf(state) })

const contentOf = ({ head }: CampaignState): JsonObject => head

/** Every fact that a commit can set, and the status that follows from them. */
export const factsOf = (state: CampaignState): LogFacts => ({
  status_key: statusOf(state),
  archived: state.archived,
  review: state.review.kind,
  intent: state.intent,
  need_moderation: needsModeration(state),
  moderation_start_at: state.moderation_start_at,
  moderation_rejected_at: state.moderation_rejected_at,
  moderator_comment: state.moderator_comment,
  admin_comment: state.admin_comment ?? null,
  approved_version: state.approved?.version ?? null,
  flight: state.flight,
  day_budget: state.day_budget,
  total_budget: state.total_budget,
  funding: state.funding,
  // Null rather than false, so that the first entry of a log does not list it.
  suspended: state.suspended === true ? true : null,
  launched_at: state.launched,
  last_run_at: state.last_run_at,
  exchange_decisions: state.decisions,
})

export type LogFacts = JsonObject & { readonly status_key: StatusKey }

const nulls = (keyed: JsonObject): JsonObject => Object.fromEntries(Object.keys(keyed).map((key) => [key, null]))
const NO_CONTENT = nulls(contentOf(initialState))
const NO_FACTS = nulls(factsOf(initialState))

/** State before the first revision; every key is null, so that the first entry lists all values that were set. */
export const emptyLogState = (): JsonObject => ({ ...NO_CONTENT, ...NO_FACTS })

/**
 * The changes of content that an event carries, which the change log shows as they are; values of older events gain the fields
 * that they lack, as the state does. A creation carries no changes but the whole content: its changes are the values that this
 * content sets, so that the first entry lists them. Other events change only facts.
 */
export function contentChanges(event: CampaignEvent): readonly Change[] {
  if (event.type === 'CampaignCreated') return diffJson(NO_CONTENT, wholeContent(event.data.content))
  return event.type === 'CampaignUpdated' || event.type === 'CampaignApproved' ? event.data.changes.map(wholeChange) : []
}

/**
 * The changes of facts in one commit. They follow from the states before and after it: an event says what happened, and what
 * that changes (the status above all) depends on every other fact.
 */
export const factChanges = (before: CampaignState, after: CampaignState): readonly Change[] =>
  changesOfFacts(before.revision === 0 ? null : factsOf(before), factsOf(after))

/** The same of facts that are known; null before the first commit. Deriving them takes most of the time of an entry. */
export const changesOfFacts = (before: LogFacts | null, after: LogFacts): readonly Change[] => diffJson(before ?? NO_FACTS, after)
