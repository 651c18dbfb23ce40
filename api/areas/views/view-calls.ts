import { actorNamer } from '#commands/identity/person'
import { refused } from '#commands/refused'
import { may, mayEver, type Place } from '#domain/kit/access'
import type { ListView, ViewedList } from '#contract/views'
import { authorize, homeOrChosen, type Caller } from '#api/http/caller'
import type { ListViews, ViewedPlace, ViewFields, ViewRow } from '#platform/views/list-views'
import { readableSpaces, statusesOf } from '../campaign/lists.ts'
import type { Served } from '#api/areas/services'

/** The list that a caller sees, and whether they may share its views. */
type Viewed = ViewedPlace & { readonly place: Place; readonly mayShare: boolean }

/** The calls of saved views (fine print 102). */
export function createViewCalls(kit: Served<'accounts' | 'people'>, stored: ListViews) {
  /** The list of the account that the session acts in, or that of all accounts of the caller's white-label. */
  async function viewed({ actor }: Caller, list: ViewedList): Promise<Viewed> {
    const { userId: personId, whitelabelId } = actor
    if (list === 'all') {
      if (!mayEver(actor, 'campaign.admin-list')) throw refused(3)
      const place = { whitelabelId, spaceId: actor.homeSpaceId }
      return { personId, list, placeId: whitelabelId, place, mayShare: may(actor, 'campaign.write', place) }
    }
    const account = await kit.accounts.opened(homeOrChosen(actor))
    const place = account === null ? null : { spaceId: account.space_id, whitelabelId: account.whitelabel_id }
    authorize(actor, 'campaign.read', place, 110)
    return { personId, list, placeId: place.spaceId, place, mayShare: may(actor, 'campaign.write', place) }
  }

  /** A view that the caller sees in their list, removed or not; 131 for another one. */
  async function seen(caller: Caller, id: string): Promise<{ readonly row: ViewRow; readonly within: Viewed }> {
    const row = await stored.find(id)
    if (row === null) throw refused(131)
    if (row.list === 'all' && !mayEver(caller.actor, 'campaign.admin-list')) throw refused(131)
    const within = await viewed(caller, row.list)
    if (row.place_id !== within.placeId || !(row.shared || row.person_id === within.personId)) throw refused(131)
    return { row, within }
  }

  /** A view that the caller may change: an own one, or a shared one with the right to share. */
  async function editable(caller: Caller, id: string) {
    const found = await seen(caller, id)
    if (!isEditable(found.row, found.within)) throw refused(3)
    return found
  }

  /** Throws what the list would refuse. */
  async function checked(caller: Caller, { name, shared, state }: ViewFields): Promise<ViewFields> {
    statusesOf(state.statuses)
    await readableSpaces(kit, caller, state.accounts)
    return { name, shared, state }
  }

  return {
    async list(caller: Caller, list: ViewedList) {
      const within = await viewed(caller, list)
      const { views, defaultId } = await stored.of(within)
      const people = await kit.people.namesOf([...new Set(views.map((row) => row.person_id))])
      const nameOf = actorNamer(caller.actor, within.place.spaceId, people)
      const out = (row: ViewRow): ListView => ({
        id: row.id,
        name: row.name,
        shared: row.shared,
        state: row.state,
        by: nameOf(row.person_id, ''),
        own: row.person_id === within.personId,
        editable: isEditable(row, within),
        version: row.version,
      })
      return { views: views.map(out), default_id: defaultId, may_share: within.mayShare }
    },

    async add(caller: Caller, list: ViewedList, fields: ViewFields) {
      const within = await viewed(caller, list)
      if (fields.shared && !within.mayShare) throw refused(3)
      const id = kit.derivedId('list-view', caller.commandId)
      return outcome(id, await stored.add(id, within, await checked(caller, fields), kit.now()))
    },

    async change(caller: Caller, id: string, { version, ...fields }: ViewFields & { readonly version: number }) {
      const { row, within } = await editable(caller, id)
      if (row.removed_at !== null) throw refused(131)
      // Only its author may take a shared view back.
      if (fields.shared ? !within.mayShare : row.person_id !== within.personId) throw refused(3)
      return outcome(id, await stored.change(row, await checked(caller, fields), version, kit.now()))
    },

    async remove(caller: Caller, id: string) {
      const { row } = await editable(caller, id)
      if (!(await stored.remove(id, kit.now()))) throw refused(131)
      return { id, version: row.version }
    },

    async restore(caller: Caller, id: string) {
      const { row } = await editable(caller, id)
      const restored = await stored.restore(row)
      if (restored.kind === 'changed') throw refused(131)
      return outcome(id, restored)
    },

    async chooseDefault(caller: Caller, list: ViewedList, viewId: string | null) {
      const within = await viewed(caller, list)
      if (viewId !== null) {
        const { row } = await seen(caller, viewId)
        if (row.list !== list || row.removed_at !== null) throw refused(131)
      }
      await stored.chooseDefault(within, viewId)
      return {}
    },
  }

  function outcome(id: string, result: Awaited<ReturnType<ListViews['add']>>) {
    if (result.kind === 'stored') return { id, version: result.version }
    if (result.kind === 'changed') throw refused(140)
    throw refused(2, [
      {
        path: 'name',
        code: 2,
        message: `A list has at most ${stored.most} views`,
        key: 'tooManyViews',
        params: { max: stored.most },
      },
    ])
  }
}

const isEditable = ({ shared, person_id: personId }: ViewRow, within: Viewed): boolean =>
  personId === within.personId || (shared && within.mayShare)
