import { actorNamer, type PeoplePort } from '#commands/identity/person'
import type { Actor } from '#domain/kit/access'
import { lintBidding } from '#domain/bidding/lint'
import { diff } from '#domain/kit/json-changes'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import { goesBeyond, reviewedOf } from '#domain/campaign/review/reviewed'
import type { CampaignState } from '#domain/campaign/state'
import { needsModeration, statusOf } from '#domain/campaign/status/status'
import type { CampaignOutcome } from '#commands/campaign/campaign-commands'
import { Refused } from '#commands/refused'
import { servedAudiences, type ServedAudience } from '../audience/served-audiences.ts'
import { campaignOut, changesOut, reasonsOut, seesOwnerFields, type Viewer } from './wire.ts'

export type Done = Extract<CampaignOutcome, { kind: 'done' }>

export function doneOrRefused(outcome: CampaignOutcome): Done {
  if (outcome.kind === 'rejected') throw new Refused(outcome.rejection)
  return outcome
}

const actorsIn = (state: CampaignState): readonly string[] => [
  ...new Set(
    Object.values(state.causes)
      .map((cause) => cause.actor)
      .filter((id) => !id.startsWith('system:') && id !== ''),
  ),
]

type ViewerDeps = { readonly people: PeoplePort; readonly now: () => string } & Parameters<typeof servedAudiences>[0]

/** The campaign as this reader may see it now. */
export async function viewerOf(deps: ViewerDeps, actor: Actor, state: CampaignState): Promise<Viewer> {
  const served = await servedAudiences(deps, [state])
  return viewerAt(deps.people, actor, state, deps.now(), served.get(state.id) ?? [])
}

/** The same at an instant. `served`: the audiences that bidders read with it then; null where that is not known. */
export async function viewerAt(
  people: PeoplePort,
  actor: Actor,
  state: CampaignState,
  now: string,
  served: readonly Pick<ServedAudience, 'id'>[] | null,
): Promise<Viewer> {
  const known = await people.namesOf(actorsIn(state))
  const place = { spaceId: state.space_id, whitelabelId: state.whitelabel_id }
  return {
    actor,
    seesOwnerFields: seesOwnerFields(actor, place),
    actorName: actorNamer(actor, state.space_id, known),
    now,
    audiences: served === null ? null : new Set(served.map(({ id }) => id)),
  }
}

/** The minimal answer of every campaign command (running.md "The wire"). */
export const outcomeOut = ({ state, revision, position }: Done, viewer: Viewer) => ({
  id: state.id,
  status_key: statusOf(state),
  status_reasons: reasonsOut(state, viewer),
  revision,
  position: String(position),
})

/** A save's answer: the whole campaign, and what was kept or dropped. */
export const savedOut = (done: Done, viewer: Viewer, dropped?: readonly string[]) => ({
  ...campaignOut(done.state, viewer),
  position: String(done.position),
  ...(viewer.seesOwnerFields ? { warnings: [...lintBidding(done.state.head.traffic_targeting)] } : {}),
  ...(dropped === undefined ? {} : { dropped: [...dropped] }),
})

/** Outcome of the command on a dry run (fine print 35). */
export function dryRunOut({ before, state, events, revision }: Done, viewer: Viewer) {
  // Only changes of this command count: free and owner fields need no moderator, even during a pending review.
  const brings = before.revision === 0 || goesBeyond(reviewedOf(state.head), reviewedOf(before.head))
  const asksModerator = brings && (state.review.kind === 'pending' || needsModeration(state) || state.approved === null)
  const changes = diff(before.revision === 0 ? { ...DEFAULT_CONTENT, name: '' } : before.head, state.head)
  return {
    // Raw event data contains owner fields and micros; only users who may see owner fields get all of it.
    events: events.map(({ type, data }) => ({ type, data: viewer.seesOwnerFields ? data : {} })),
    diff: [...changesOut(changes, viewer.seesOwnerFields)],
    status_key: statusOf(state),
    status_reasons: reasonsOut(state, viewer),
    revision,
    moderator_needed: asksModerator || events.some(({ type }) => type === 'CampaignSubmitted'),
  }
}
