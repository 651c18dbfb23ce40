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
import type { Sum } from '#domain/kit/money'

export const account: Decider<AccountState, AccountEvent> = {
  fold: foldBy(initialAccount, evolveAccount, decodeAccountEvent),
  evolve: evolveAccount,
  read: decodeAccountEvent,
  snapshot: { name: 'account', version: 3 },
}

/** They record money that has moved. */
const RECORDS: ReadonlySet<AccountCommand['type']> = new Set([
  'ReceivePayment',
  'RefundPayment',
  'ReverseRefund',
  'DisputePayment',
  'WinDispute',
  'CreditInvoice',
  'ChargeTax',
  'ReverseTax',
  'AssignFunds',
  'ReleaseFunds',
])

/** They take away what was given under the quota, which an owner can always do. */
const TAKES: ReadonlySet<AccountCommand['type']> = new Set(['DeactivatePerson', 'RemoveRole', 'TakeRight', 'WithdrawInvitation'])
const isUnmetered = (command: AccountCommand): boolean =>
  RECORDS.has(command.type) || TAKES.has(command.type) || (command.type === 'ChangeAutoRefill' && !command.autoRefill.enabled)

/** Spend in the books of an account: its own stream does not have it. */
export type Booked = (spaceId: string) => Promise<Sum>

/** Commands of an account. Those that its balance can refuse are decided on it, less the spend in the books. */
export const createAccountCommands = (handle: Handle, booked: Booked = async () => 0) => ({
  execute: (spaceId: string, context: CommandContext, command: AccountCommand) =>
    handle(account, {
      stream: accountStream(spaceId),
      context,
      unmetered: isUnmetered(command),
      decide: async (state) =>
        decideAccount(
          command.type === 'CreditFunds' || command.type === 'CheckRoom'
            ? { ...command, booked: await booked(spaceId) }
            : command,
          state,
        ),
    }),
})
export type AccountCommands = ReturnType<typeof createAccountCommands>
