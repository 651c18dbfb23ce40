import { systemContext } from '#domain/kit/event-metadata'
import { settingsOf, type AccountState } from '#domain/account/account'
import { reject, type ErrorCode } from '#domain/kit/errors'
import type { Action, Actor } from '#domain/kit/access'
import { accountOf, authorize, homeOrChosen } from '#api/http/caller'
import type { Micros } from '#domain/kit/money'
import type { Place } from '#domain/kit/access'
import type { Served } from '#api/areas/services'
import { accepted, Refused, refused } from '#commands/refused'

const OFF = 'Payments by card are switched off for this account'

type Asked = { readonly space_id?: string | null | undefined; readonly 'user-id'?: string | undefined }

/** Finds the accounts that calls about cards and refills are for. */
export function createPayingAccounts({ accounts, commands, newId, people }: Served<'accounts' | 'commands.accounts' | 'people'>) {
  /** The account of a call: named by its id or by one of its users, else the caller's own or chosen one. */
  async function placeFor(actor: Actor, action: Action, asked: Asked): Promise<Place> {
    const userId = asked['user-id']
    if (userId !== undefined) {
      const person = await people.find(userId)
      return placeOf(actor, action, accountOf(actor, userId, person), 6)
    }
    const named = asked.space_id ?? null
    return placeOf(actor, action, named ?? homeOrChosen(actor), named === null ? 110 : 1420)
  }

  async function placeOf(actor: Actor, action: Action, spaceId: string | null, missing: ErrorCode): Promise<Place> {
    const account = spaceId === null ? null : await accounts.opened(spaceId)
    const place = account === null ? null : { spaceId: account.space_id, whitelabelId: account.whitelabel_id }
    authorize(actor, action, place, missing)
    return place
  }

  /** The account as the log has it: a read model may be behind. */
  async function stateOf(spaceId: string): Promise<AccountState> {
    const context = systemContext('payments', newId())
    return accepted(await commands.accounts.execute(spaceId, context, { type: 'ReadAccount' })).state
  }

  /** The account, which may pay by card; 3 otherwise. */
  async function payingState(spaceId: string): Promise<AccountState> {
    const state = await stateOf(spaceId)
    if (!settingsOf(state).allow_make_payment) throw new Refused(reject(3, [], OFF), { allow_make_payment: false })
    return state
  }

  /** Refuses to ask for money that the account has no room for; with 0, for any (2). */
  async function requireRoom(spaceId: string, amount: Micros): Promise<void> {
    accepted(await commands.accounts.execute(spaceId, systemContext('payments', newId()), { type: 'CheckRoom', amount }))
  }

  /** The account of a card or payment; 131 unless it is in reach, and in the account that the call names. */
  async function placeOfThing(
    actor: Actor,
    action: Action,
    spaceId: string | null,
    named: string | null | undefined,
  ): Promise<Place> {
    if (named) await placeFor(actor, action, { space_id: named })
    const place = await placeOf(actor, action, spaceId, 131)
    if (named && named !== place.spaceId) throw refused(131)
    return place
  }

  return { placeFor, placeOfThing, stateOf, payingState, requireRoom }
}
