import { audienceIn, audienceStream, type AudienceState } from '#domain/audience/audience'
import { isStaff, reachOf, type Action, type Actor } from '#domain/kit/access'
import { authorize, homeOrChosen } from '#api/http/caller'
import type { Place } from '#domain/kit/access'
import type { Needs } from '#api/areas/services'
import { refused } from '#commands/refused'

export const MISSING = 180

export type Reach = { readonly spaceId: string | null; readonly whitelabelId: string | null }

/** Where calls about audiences act. An account that a call names and that is out of reach is 1420, an audience 180. */
export function createPlaces({ accounts, people, store }: Needs<'accounts' | 'people' | 'store'>) {
  async function inSpace(actor: Actor, action: Action, asked: string | null | undefined): Promise<Place> {
    const account = await accounts.opened(asked ?? homeOrChosen(actor))
    const place = account === null ? null : { spaceId: account.space_id, whitelabelId: account.whitelabel_id }
    authorize(actor, action, place, 1420)
    return place
  }

  return {
    inSpace,

    /** An account, or everything in reach for staff who name none and have not switched into one. */
    async reach(actor: Actor, action: Action, asked: string | null | undefined): Promise<Reach> {
      const { spaceId } = await inSpace(actor, action, asked)
      const account = await accounts.opened(spaceId)
      if (!isStaff(actor) || asked || account?.house !== true) return { spaceId, whitelabelId: null }
      return { spaceId: null, whitelabelId: reachOf(actor, action) === 'all' ? null : actor.whitelabelId }
    },

    /** The account that an upload is for: of owners, that of the user they name (decisions G-219). */
    async ofUpload(actor: Actor, user: string): Promise<Place> {
      const mayName = actor.roles.includes('WL_OWNER') || actor.roles.includes('SYSTEM_ADMIN')
      if (user === '' || !mayName) return inSpace(actor, 'audience.write', null)
      const person = await people.find(user)
      const place = person === null ? null : { spaceId: person.home_space_id, whitelabelId: person.whitelabel_id }
      authorize(actor, 'audience.write', place, 6)
      return place
    },

    /** An audience from the log itself: correct right after its creation. */
    async audience(actor: Actor, action: Action, id: string): Promise<{ readonly state: AudienceState; readonly place: Place }> {
      const state = audienceIn(await store.readStream(audienceStream(id)))
      const place = state.exists && !state.deleted ? { spaceId: state.space_id, whitelabelId: state.whitelabel_id } : null
      authorize(actor, action, place, MISSING)
      if (place === null) throw refused(MISSING)
      return { state, place }
    },
  }
}
