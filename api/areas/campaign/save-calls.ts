import { forAnotherAccount } from '#domain/campaign/content/copies'
import type { Served } from '#api/areas/services'
import { may } from '#domain/kit/access'
import { refusalOf } from '#domain/kit/errors'
import { PERSONAL_KEYS } from '#domain/kit/personal'
import { isOwnerPath, type CampaignContent } from '#domain/campaign/content/content'
import { creativeIdsOf, filesOf } from '#domain/campaign/content/creatives'
import type { CampaignState } from '#domain/campaign/state'
import type { CampaignPatch } from '#domain/campaign/content/shape'
import type { Issue } from '#commands/campaign/campaign-commands'
import type { CampaignInput } from '#contract/campaign-body'
import type { AdminDetailsInput } from '#contract/moderation'
import { Refused, refused } from '#commands/refused'
import { doneOrRefused, dryRunOut, outcomeOut, savedOut, viewerOf } from './answers.ts'
import type { Labels } from '#platform/campaign/labels'
import { authorize, homeOrChosen, issueOf, type Caller } from '#api/http/caller'
import type { Place } from '#domain/kit/access'
import { missingIds, readPatch } from './patch.ts'
import type { Quota } from './quota.ts'

export type SaveCall = {
  readonly caller: Caller
  readonly body: CampaignInput
  readonly dryRun: boolean
  readonly ifMatch: number | null
}

/** POST, PUT and saveAndPublish on the campaign root. */
export function createSaveCalls(
  deps: Served<'accounts' | 'audiences' | 'campaigns' | 'commands.campaigns' | 'db' | 'files' | 'people' | 'personal'>,
  quota: Quota,
  labels: Labels,
) {
  /** Makes the files of a copied campaign usable from the copy's space (fine print 14). */
  const adoptFiles = ({ head }: CampaignState, { spaceId }: Place): Promise<void> =>
    deps.files.grant(
      filesOf(head).map(({ id }) => id),
      spaceId,
    )

  /** Labels belong to an account: a replicate in another one has none (fine print 107). */
  async function copyLabels({ actor }: Caller, source: CampaignState | null, to: string, { spaceId }: Place): Promise<void> {
    if (source?.space_id === spaceId)
      await labels.copy(spaceId, { from: source.id, to }, { personId: actor.userId, now: deps.now() })
  }

  async function placeForNew(caller: Caller, spaceId: string | null | undefined): Promise<Place> {
    const wanted = spaceId ?? homeOrChosen(caller.actor)
    const account = await deps.accounts.opened(wanted)
    const place = account === null ? null : { spaceId: account.space_id, whitelabelId: account.whitelabel_id }
    // An explicit foreign space is a mismatch, not a missing campaign (access.md).
    authorize(caller.actor, 'campaign.write', place, spaceId ? 1420 : 130)
    return place
  }

  async function sourceOf(caller: Caller, id: string, target: Place): Promise<CampaignState> {
    const source = await deps.commands.campaigns.load(id)
    if (source.revision === 0) throw refused(130)
    authorize(caller.actor, 'campaign.read', { spaceId: source.space_id, whitelabelId: source.whitelabel_id })
    if (source.space_id !== target.spaceId && !may(caller.actor, 'campaign.replicate-across', target)) throw refused(3)
    return source
  }

  async function acrossAccounts(source: CampaignState, target: Place) {
    if (source.space_id === target.spaceId) return { source, dropped: [] }
    const [from, to] = [await deps.accounts.opened(source.space_id), await deps.accounts.opened(target.spaceId)]
    const { content, dropped } = forAnotherAccount(source.head, { sameCurrency: from?.currency === to?.currency })
    return { source: { ...source, head: content }, dropped }
  }

  async function create(call: SaveCall, publish: boolean) {
    const { caller, body } = call
    const place = await placeForNew(caller, body.space_id)
    const found = body.replicated_from ? await sourceOf(caller, body.replicated_from, place) : null
    const replicate = found === null ? null : await acrossAccounts(found, place)
    const issue = issueOf(caller, place, call.dryRun)
    const source = replicate?.source ?? null
    await quota.oneMore(place.spaceId)
    const request = {
      id: deps.derivedId('stream', caller.commandId),
      spaceId: place.spaceId,
      whitelabelId: place.whitelabelId,
      patch: await sealed(readOrRefuse(body), issue, source?.head ?? null),
      newIds: newIds(body, source),
      publish,
      source,
    }
    const outcome = await deps.commands.campaigns.create(issue, request)
    const done = doneOrRefused(outcome)
    if (replicate !== null && !call.dryRun) {
      await adoptFiles(replicate.source, place)
      await copyLabels(caller, found, request.id, place)
    }
    return answer(call, done, replicate?.dropped)
  }

  async function change(call: SaveCall, publish: boolean) {
    const { caller, body } = call
    const id = String(body.id)
    const place = await deps.campaigns.placeOf(id)
    authorize(caller.actor, 'campaign.write', place)
    // A campaign cannot move: a save that names another account is refused, not ignored (access.md).
    if (body.space_id && body.space_id !== place.spaceId) throw refused(1420)
    const issue = issueOf(caller, place, call.dryRun)
    const patch = readOrRefuse(body)
    const request = {
      patch,
      newIds: newIds(body, null),
      expected: expected(body.revision, call.ifMatch),
      ...sealing(patch, issue),
    }
    const { campaigns } = deps.commands
    return answer(call, doneOrRefused(await campaigns[publish ? 'publish' : 'update'](id, issue, request)))
  }

  /** Personal fields in the save. Fields that the caller may not write are never stored, and need no key. */
  const personalIn = (patch: CampaignPatch, issue: Issue) =>
    PERSONAL_KEYS.filter((key) => (patch[key] ?? []).length > 0 && (issue.mayWriteOwnerFields || !isOwnerPath(key)))

  /** Replaces personal texts with tokens before the decision; tokens of `present` content are kept. */
  async function sealed(patch: CampaignPatch, issue: Issue, present: CampaignContent | null): Promise<CampaignPatch> {
    let result = patch
    for (const key of personalIn(patch, issue)) {
      const tokens = await deps.personal.seal(patch[key] ?? [], issue.context.actor, present?.[key] ?? [])
      result = { ...result, [key]: tokens }
    }
    return result
  }

  /** For a stored campaign: sealed at decision time, against the tokens it holds then. */
  const sealing = (patch: CampaignPatch, issue: Issue) =>
    personalIn(patch, issue).length === 0 ? {} : { prepare: (present: CampaignContent) => sealed(patch, issue, present) }

  /** A copy's creatives get new ids, whatever the ids in the source. */
  const newIds = (body: CampaignInput, source: CampaignState | null): readonly string[] => {
    const copied = source === null ? 0 : creativeIdsOf(source.head).length
    return Array.from({ length: missingIds(body) + copied }, () => deps.newId())
  }

  async function answer(call: SaveCall, done: ReturnType<typeof doneOrRefused>, dropped?: readonly string[]) {
    const viewer = await viewerOf(deps, call.caller.actor, done.state)
    return call.dryRun ? dryRunOut(done, viewer) : savedOut(done, viewer, dropped)
  }

  const isNew = (body: CampaignInput) => body.id === undefined || body.id === null || body.id === ''
  return {
    /** Owner fields only, and a comment for the staff (decisions G-053). */
    async administer({
      caller,
      id,
      body,
      dryRun,
      ifMatch,
    }: Omit<SaveCall, 'body'> & { readonly id: string; readonly body: AdminDetailsInput }) {
      const place = await deps.campaigns.placeOf(id)
      authorize(caller.actor, 'owner-fields.write', place)
      const { comment, ...fields } = body
      const issue = issueOf(caller, place, dryRun, 'owner-fields.write')
      const patch = readOrRefuse(fields)
      const note = comment ?? null
      const request = { patch, newIds: [], expected: expected(body.revision, ifMatch), comment: note, ...sealing(patch, issue) }
      const done = doneOrRefused(await deps.commands.campaigns.update(id, issue, request))
      const viewer = await viewerOf(deps, caller.actor, done.state)
      return dryRun ? dryRunOut(done, viewer) : outcomeOut(done, viewer)
    },
    create: (call: SaveCall) => create(call, false),
    update: (call: SaveCall) => (isNew(call.body) ? create(call, false) : change(call, false)),
    publish: (call: SaveCall) => (isNew(call.body) ? create(call, true) : change(call, true)),
  }
}

/** The revision that a save expects: by body and header, which must not disagree (fine print 66). */
function expected(revision: number | null | undefined, ifMatch: number | null): number | null {
  if (typeof revision === 'number' && ifMatch !== null && revision !== ifMatch) throw refused(140)
  return revision ?? ifMatch
}

function readOrRefuse(body: CampaignInput): CampaignPatch {
  const { patch, faults } = readPatch(body)
  const refusal = refusalOf(faults)
  if (refusal) throw new Refused(refusal)
  return patch
}
