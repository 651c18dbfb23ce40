import type { Needs } from '#api/areas/services'
import { isStaff, reachOf, type Actor } from '#domain/kit/access'
import { STATUS, STATUS_ALL, STATUS_KEYS } from '#domain/campaign/status/status-keys'
import type { Reach } from '#projections/campaign/list/queries'
import type { ListInput } from '#contract/campaign-list'
import { refused } from '#commands/refused'
import { authorize, homeOrChosen, type Caller } from '#api/http/caller'

/** Everything the caller may read. */
export function reachFor(actor: Actor): Reach {
  const scope = reachOf(actor, 'campaign.read')
  if (scope === 'all') return { whitelabelId: null, spaceId: null }
  return scope === 'whitelabel'
    ? { whitelabelId: actor.whitelabelId, spaceId: null }
    : { whitelabelId: actor.whitelabelId, spaceId: actor.homeSpaceId }
}

/** The scope of a list for one space; 1420 for a space out of reach. */
export async function readableSpace(
  deps: Needs<'accounts'>,
  { actor }: Caller,
  asked: string | null | undefined,
): Promise<Reach> {
  const spaceId = asked ?? homeOrChosen(actor)
  const account = await deps.accounts.opened(spaceId)
  const place = account === null ? null : { spaceId: account.space_id, whitelabelId: account.whitelabel_id }
  authorize(actor, 'campaign.read', place, 1420)
  // Staff who have not switched into an account are in their house space: the list then covers all of their white-label.
  const everywhere = isStaff(actor) && !asked && account?.house === true
  return everywhere ? reachFor(actor) : { whitelabelId: null, spaceId }
}

/** The scope of the list for staff: an account that it names, or everything that they may read. */
export const adminReach = async (deps: Needs<'accounts'>, caller: Caller, { space_id: asked }: ListInput) =>
  asked ? readableSpace(deps, caller, asked) : reachFor(caller.actor)

/** The accounts that a list is filtered by, each one readable; null for all of the list. 1420 for one out of reach. */
export async function readableSpaces(
  deps: Needs<'accounts'>,
  caller: Caller,
  asked: ListInput['space_ids'],
): Promise<readonly string[] | null> {
  const ids = [...new Set(asked)]
  await Promise.all(ids.map((id) => readableSpace(deps, caller, id)))
  return ids.length === 0 ? null : ids
}

/**
 * A key, its name, or a list of either; absent, 50 and all mean every status; anything else is 133 (decisions G-078, lifecycle.md).
 */
export function statusesOf(filter: ListInput['status_filter']): readonly number[] | null {
  if (filter === null || filter === undefined) return null
  const wanted = (Array.isArray(filter) ? filter : [filter]).map((value) => {
    const text = String(value).trim().toLowerCase()
    if (text === String(STATUS_ALL) || text === 'all' || text === '') return null
    const key = STATUS_KEYS.find((status) => String(status) === text || STATUS[status] === text)
    if (key === undefined) throw refused(133, [{ path: 'status_filter', code: 133, message: `Status ${text} is not supported` }])
    return key
  })
  return wanted.length === 0 || wanted.includes(null) ? null : wanted.filter((key) => key !== null)
}

/** The labels that a list is filtered by; null for none. Labels of other accounts are on no campaign of the list. */
export const labelIdsOf = ({ label_ids: ids }: Pick<ListInput, 'label_ids'>): readonly string[] | null =>
  ids === null || ids === undefined || ids.length === 0 ? null : ids
