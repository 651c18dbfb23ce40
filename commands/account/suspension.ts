import { isSuspended } from '#domain/account/account'
import type { CommandContext } from '#domain/kit/event-metadata'
import { accepted } from '../refused.ts'
import type { AccountCommands } from './account-commands.ts'

/** The suspension of an account, by its revision. */
export type Suspension = { readonly spaceId: string; readonly suspended: boolean; readonly revision: number }

/** Suspends or restores an account, and with it the sessions of its users. */
export const createSuspensionChange =
  (accounts: AccountCommands, apply: (suspension: Suspension) => Promise<void>) =>
  async (spaceId: string, context: CommandContext, type: 'SuspendAccount' | 'RestoreAccount', reason: string) => {
    const { state, revision, position } = accepted(await accounts.execute(spaceId, context, { type, reason }))
    const suspended = isSuspended(state)
    // The policies do the same after a crash between the event and this.
    await apply({ spaceId, suspended, revision })
    return { suspended, position }
  }
