import { actorNamer } from '#commands/identity/person'
import { refused } from '#commands/refused'
import { may, type Action, type Place } from '#domain/kit/access'
import { CATALOGUE, type ErrorCode } from '#domain/kit/errors'
import { MOST_LABELS, MOST_LABELS_OF_CAMPAIGN, type LabelColor, type LabelEdit, type Relabelled } from '#domain/campaign/labels'
import { authorize, denialOf, homeOrChosen, type Caller } from '#api/http/caller'
import type { LabelRow, Labels, Stored } from '#platform/campaign/labels'
import type { Served } from '#api/areas/services'

type Asked = { readonly campaignId: string } & LabelEdit
const CODES: Readonly<Record<Relabelled['kind'], ErrorCode>> = { done: 0, unknown: 131, full: 2 }
type Result = {
  readonly campaign_id: string
  readonly code: ErrorCode
  readonly message: string
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Labels of accounts and of their campaigns (fine print 107). */
export function createLabelCalls(deps: Served<'accounts' | 'campaigns' | 'people'>, labels: Labels) {
  /** The account whose labels a call is about: the named one, or the one that the session acts in. */
  async function placeOf({ actor }: Caller, asked: string | null | undefined, action: Action): Promise<Place> {
    const account = await deps.accounts.opened(asked ?? homeOrChosen(actor))
    const place = account === null ? null : { spaceId: account.space_id, whitelabelId: account.whitelabel_id }
    authorize(actor, action, place, 1420)
    return place
  }

  /** A label that the caller may change; 131 for an unknown one, and for one of an account out of reach. */
  async function editable(caller: Caller, id: string): Promise<LabelRow> {
    const label = await labels.find(id)
    const account = label === null ? null : await deps.accounts.opened(label.space_id)
    const place = account === null ? null : { spaceId: account.space_id, whitelabelId: account.whitelabel_id }
    authorize(caller.actor, 'campaign.write', place, 131)
    if (label === null) throw refused(131)
    return label
  }

  const by = ({ actor }: Caller) => ({ personId: actor.userId, now: deps.now() })

  return {
    async list(caller: Caller, spaceId: string | undefined) {
      const place = await placeOf(caller, spaceId, 'campaign.read')
      const rows = await labels.of(place.spaceId)
      return {
        labels: rows.map(({ id, name, color, campaigns }) => ({ id, name, color, campaigns })),
        may_write: may(caller.actor, 'campaign.write', place),
      }
    },

    async add(caller: Caller, spaceId: string | null | undefined, { name, color }: Pick<LabelRow, 'name' | 'color'>) {
      const place = await placeOf(caller, spaceId, 'campaign.write')
      const label = { id: deps.derivedId('label', caller.commandId), space_id: place.spaceId, name, color }
      return outcome(label, await labels.add({ ...label, ...by(caller) }))
    },

    async change(
      caller: Caller,
      id: string,
      patch: { readonly name?: string | null | undefined; readonly color?: LabelColor | null | undefined },
    ) {
      const label = await editable(caller, id)
      const changed = { ...label, name: patch.name ?? label.name, color: patch.color ?? label.color }
      return outcome(changed, await labels.change(changed))
    },

    async remove(caller: Caller, id: string) {
      const campaigns = await labels.remove(await editable(caller, id))
      if (campaigns === null) throw refused(131)
      return { id, campaigns }
    },

    /** One result for each change: a campaign that is refused keeps its labels, and the others change. */
    async apply(caller: Caller, changes: readonly Asked[]): Promise<{ results: Result[] }> {
      const places = new Map<string, Place | null>()
      // One after another: a call with many campaigns leaves the connections to others.
      for (const { campaignId } of changes)
        if (!places.has(campaignId)) places.set(campaignId, await deps.campaigns.placeOf(campaignId))
      const denials = new Map<string, ErrorCode>()
      const bySpace = new Map<string, Asked[]>()
      for (const change of changes) {
        const place = places.get(change.campaignId) ?? null
        const denial = denialOf(caller.actor, 'campaign.write', place)
        if (denial !== null) denials.set(change.campaignId, denial)
        else if (place !== null) bySpace.set(place.spaceId, [...(bySpace.get(place.spaceId) ?? []), change])
      }
      const outcomes = new Map<Asked, Relabelled>()
      for (const [spaceId, ofSpace] of bySpace) {
        const applied = await labels.apply(spaceId, ofSpace, by(caller))
        for (const [n, change] of ofSpace.entries()) if (applied[n] !== undefined) outcomes.set(change, applied[n])
      }
      return { results: changes.map((change) => resultOf(change.campaignId, outcomes.get(change), denials)) }
    },

    async ofCampaign(caller: Caller, campaignId: string) {
      const place = await deps.campaigns.placeOf(campaignId)
      authorize(caller.actor, 'campaign.read', place)
      const rows = await labels.ofCampaign(campaignId)
      const people = await deps.people.namesOf([...new Set(rows.flatMap((row) => row.person_id ?? []))])
      const nameOf = actorNamer(caller.actor, place.spaceId, people)
      return rows.map(({ id, name, color, person_id: personId, labelled_at }) => ({
        id,
        name,
        color,
        by: personId === null ? null : nameOf(personId, ''),
        labelled_at,
      }))
    },
  }
}

function resultOf(campaign_id: string, outcome: Relabelled | undefined, denials: ReadonlyMap<string, ErrorCode>): Result {
  const code = outcome === undefined ? (denials.get(campaign_id) ?? 0) : CODES[outcome.kind]
  const message = outcome?.kind === 'full' ? `A campaign has at most ${MOST_LABELS_OF_CAMPAIGN} labels` : CATALOGUE[code].message
  const { added, removed } = outcome?.kind === 'done' ? outcome : { added: [], removed: [] }
  return { campaign_id, code, message, added, removed }
}

function outcome({ id, name, color }: LabelRow, stored: Stored) {
  if (stored === 'stored') return { id, name, color }
  if (stored === 'unknown') throw refused(131)
  throw refused(2, [
    stored === 'taken'
      ? { path: 'name', code: 2, message: 'The account has a label of this name', key: 'labelTaken' }
      : {
          path: 'name',
          code: 2,
          message: `An account has at most ${MOST_LABELS} labels`,
          key: 'tooManyLabels',
          params: { max: MOST_LABELS },
        },
  ])
}
