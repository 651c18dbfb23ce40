import * as account from '#domain/account/account'
import type { AccountCommand, AccountEvent, AccountState } from '#domain/account/account'
import { foldBy, type Decider, type Handle } from '../handle.ts'
import type { CommandContext } from '#domain/kit/event-metadata'
import type { Sum } from '#domain/kit/money'

export const accountDecider: Decider<AccountState, AccountEvent> = {
  fold: foldBy(account.initial, account.evolve, account.decodeAccountEvent),
  evolve: account.evolve,
  read: account.decodeAccountEvent,
  snapshot: { name: 'account', version: 3 },
}

/** Commands that record money that has moved. */
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

/** Commands that take away what was given under the quota, which an owner can always do. */
const TAKES: ReadonlySet<AccountCommand['type']> = new Set(['DeactivatePerson', 'RemoveRole', 'TakeRight', 'WithdrawInvitation'])
const isUnmetered = (command: AccountCommand): boolean =>
  RECORDS.has(command.type) || TAKES.has(command.type) || (command.type === 'ChangeAutoRefill' && !command.autoRefill.enabled)

/** Spend in the books of an account: its own stream does not have it. */
export type Booked = (spaceId: string) => Promise<Sum>

/** Commands of an account. Those that its balance can refuse are decided on it, less the spend in the books. */
export const createAccountCommands = (handle: Handle, booked: Booked = async () => 0) => ({
  execute: (spaceId: string, context: CommandContext, command: AccountCommand) =>
    handle(accountDecider, {
      stream: account.accountStream(spaceId),
      context,
      unmetered: isUnmetered(command),
      decide: async (state) =>
        account.decide(
          command.type === 'CreditFunds' || command.type === 'CheckRoom'
            ? { ...command, booked: await booked(spaceId) }
            : command,
          state,
        ),
    }),
})
export type AccountCommands = ReturnType<typeof createAccountCommands>
