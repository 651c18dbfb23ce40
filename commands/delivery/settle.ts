import { systemContext } from '#domain/kit/event-metadata'
import { AppendTooLarge } from '#eventstore/append-size'
import type { AccountCommands } from '../account/account-commands.ts'
import { FULL_SCAN, type Sweep } from '../sweep.ts'
import type { Settlement, Settlements } from './delivery-port.ts'

export type SettleDeps = {
  readonly settlements: Settlements
  readonly accounts: AccountCommands
  /** A command id that is the same for the same parts (fine print 17). */
  readonly commandId: (...parts: readonly string[]) => string
  /** How long charges are gathered, milliseconds: one event per account and interval, however many batches arrive. */
  readonly everyMs: number
}

/** Records the open charges of one account in its ledger. Each settlement has a number, and a ledger takes each number once. */
export function createSettle({ settlements, accounts, commandId }: Omit<SettleDeps, 'everyMs'>) {
  async function record({ spaceId, number, amount, batches, campaigns }: Settlement): Promise<void> {
    const outcome = await accounts.execute(spaceId, systemContext('delivery', commandId('settlement', spaceId, String(number))), {
      type: 'SettleSpend',
      settlement: number,
      amount,
      batches,
      campaigns,
    })
    if (outcome.kind === 'rejected')
      throw new Error(`settlement ${number} of ${spaceId} was refused with ${outcome.rejection.code}`)
    await settlements.recorded(spaceId, number)
  }
  return async function settle(spaceId: string): Promise<void> {
    const settlement = await settlements.prepare(spaceId)
    if (settlement === null) return
    try {
      await record(settlement)
    } catch (error) {
      // Prepared when settlements had no limit. Nothing of it is in the ledger, so it may change.
      if (!(error instanceof AppendTooLarge) || !(await settlements.split(spaceId, settlement.number))) throw error
      await settle(spaceId)
    }
  }
}

/** Settles every account with charges that are old enough. */
export function settlementPolicy({ everyMs, ...deps }: SettleDeps): Sweep {
  const settle = createSettle(deps)
  return {
    name: 'settlement',
    scan: async () => (await deps.settlements.due(everyMs, FULL_SCAN)).map((spaceId) => () => settle(spaceId)),
  }
}
