import { ledgerMonth, type LedgerCommand, type LedgerState, type Opening } from '#domain/account/ledger'
import { negated, plus } from '#domain/kit/money'
import { systemContext } from '#domain/kit/event-metadata'
import { AppendTooLarge } from '#eventstore/append-size'
import type { AccountCommands } from '../account/account-commands.ts'
import type { LedgerCommands } from '../account/ledger-commands.ts'
import { due, FULL_SCAN, type Sweep } from '../sweep.ts'
import { MOST_CHARGES, type Settlement, type Settlements } from './delivery-port.ts'

/** Settlements of an account in one round: after an hour without policies there are many. */
const IN_A_ROW = 20

export type SettleDeps = {
  readonly settlements: Settlements
  readonly accounts: AccountCommands
  readonly ledgers: LedgerCommands
  /** A command id that is the same for the same parts (fine print 17). */
  readonly commandId: (...parts: readonly string[]) => string
  /** Business time, ISO 8601 UTC. */
  readonly now: () => string
  /** How long charges are gathered, milliseconds: one event per account and interval, however many batches arrive. */
  readonly everyMs: number
}

/**
 * Records the open charges of one account in the books of the month. Each settlement has a number, and the books take each number
 * once. The first settlement of a month closes the books of before.
 */
export function createSettle({ settlements, accounts, ledgers, commandId, now }: Omit<SettleDeps, 'everyMs'>) {
  async function ofLedger(spaceId: string, month: string, part: string, command: LedgerCommand): Promise<LedgerState> {
    const outcome = await ledgers.execute(spaceId, month, commandId('settlement', spaceId, part), command)
    if (outcome.kind === 'done') return outcome.state
    throw new Error(`${command.type} ${part} of ${spaceId} in ${month} was refused with ${outcome.rejection.code}`)
  }

  async function close(spaceId: string, month: string): Promise<LedgerState> {
    const state = await ofLedger(spaceId, month, month, { type: 'CloseLedger' })
    await settlements.closed(spaceId, month)
    return state
  }

  /** The account without the spend of its own stream, and the books of before: those of an older account are in that stream. */
  async function openingOf(spaceId: string, previous: string | null): Promise<Opening> {
    const account = await accounts.execute(spaceId, systemContext('delivery', commandId('opening', spaceId)), {
      type: 'ReadAccount',
    })
    if (account.kind === 'rejected') throw new Error(`the books of ${spaceId} cannot be opened: ${account.rejection.code}`)
    const { balance, settled = 0, settlements: own } = account.state
    const before = previous === null ? { settlements: own, settled } : await close(spaceId, previous)
    return {
      settlements: before.settlements,
      settled: before.settled,
      balance: plus(balance, settled, negated(before.settled)),
      account_version: account.version,
      previous,
    }
  }

  async function record({ spaceId, month, previous, opens, ...settled }: Settlement): Promise<void> {
    const { number, amount, charges, campaigns } = settled
    const state = await ofLedger(spaceId, month, String(number), {
      type: 'SettleSpend',
      spaceId,
      month,
      opening: opens ? await openingOf(spaceId, previous) : null,
      settled: { settlement: number, amount, charges, campaigns },
    })
    await settlements.recorded(spaceId, number, { month, spent: state.spent })
  }

  /** True when it gathered as many charges as one may: there may be more. */
  async function settleOnce(spaceId: string): Promise<boolean> {
    const settlement = await settlements.prepare(spaceId, ledgerMonth(now()))
    if (settlement === null) return false
    try {
      await record(settlement)
      return settlement.charges.count >= MOST_CHARGES
    } catch (error) {
      // Prepared when settlements had no limit. Nothing of it is in the books, so it may change.
      if (!(error instanceof AppendTooLarge) || !(await settlements.split(spaceId, settlement.number))) throw error
      return true
    }
  }

  async function settle(spaceId: string): Promise<void> {
    for (let n = 0; n < IN_A_ROW && (await settleOnce(spaceId)); n++);
  }
  return { settle, close }
}

/** Settles every account with charges that are old enough, and closes the books of months that are over. */
export function settlementPolicy({ everyMs, ...deps }: SettleDeps): Sweep {
  const { settle, close } = createSettle(deps)
  const { now, settlements } = deps
  return {
    name: 'settlement',
    scan: async (except) => {
      const open = await settlements.due(everyMs, FULL_SCAN, except)
      const over = await settlements.over(ledgerMonth(now()), FULL_SCAN)
      return [
        ...due(open, String, settle),
        ...due(
          over,
          ({ spaceId, month }) => `${spaceId} ${month}`,
          ({ spaceId, month }) => close(spaceId, month),
        ),
      ]
    },
  }
}
