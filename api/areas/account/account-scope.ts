import type { Needs } from '#api/areas/services'
import { accountOf, authorize } from '#api/http/caller'
import { refused } from '#commands/refused'
import type { Action, Actor } from '#domain/kit/access'

/** Accounts and users that a caller reaches. */
export const createAccountScope = ({ accounts, people }: Needs<'accounts' | 'people'>) => ({
  /** 110 for an account out of reach. */
  accountFor: async (actor: Actor, id: string, action: Action) => {
    const account = await accounts.find(id)
    authorize(actor, action, account === null ? null : { spaceId: id, whitelabelId: account.whitelabel_id }, 110)
    // Not null: `authorize` refuses a missing place.
    if (account === null) throw refused(110)
    return account
  },

  /** The place of a user of an account: the home space is the account. 7 for one out of reach. */
  userFor: async (actor: Actor, id: string, action: Action) => {
    const person = await people.find(id)
    const spaceId = accountOf(actor, id, person)
    const place = person === null || spaceId === null ? null : { spaceId, whitelabelId: person.whitelabel_id }
    authorize(actor, action, place, 7)
    return place
  },
})
