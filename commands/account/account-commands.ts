import {
  accountStream,
  decodeAccountEvent,
  decide as decideAccount,
  evolve as evolveAccount,
  initial as initialAccount,
  type AccountCommand,
  type AccountEvent,
  type AccountState,
} from '#domain/account/account'
import { foldBy, type Decider, type Handle } from '../handle.ts'
import type { CommandContext } from '#domain/kit/event-metadata'

export const account: Decider<AccountState, AccountEvent> = {
  fold: foldBy(initialAccount, evolveAccount, decodeAccountEvent),
  evolve: evolveAccount,
  read: decodeAccountEvent,
  snapshot: { name: 'account', version: 2 },
}

/** Commands of an account: opening it, and crediting it. */
export const createAccountCommands = (handle: Handle) => ({
  execute: (spaceId: string, context: CommandContext, command: AccountCommand) =>
    handle(account, {
      stream: accountStream(spaceId),
      context,
      decide: async (state) => decideAccount(command, state),
    }),
})
export type AccountCommands = ReturnType<typeof createAccountCommands>
