import {
  decide,
  decodeLedgerEvent,
  evolve,
  initial,
  ledgerStream,
  type LedgerCommand,
  type LedgerEvent,
  type LedgerState,
} from '#domain/account/ledger'
import { systemContext } from '#domain/kit/event-metadata'
import { foldBy, type Decider, type Handle } from '../handle.ts'

export const ledger: Decider<LedgerState, LedgerEvent> = {
  fold: foldBy(initial, evolve, decodeLedgerEvent),
  evolve,
  read: decodeLedgerEvent,
  snapshot: { name: 'ledger', version: 2 },
  numbered: true,
}

/** Commands of the books of an account's month: settling spend, and closing the month. */
export const createLedgerCommands = (handle: Handle) => ({
  /** `commandId` names the settlement or the closing: the books take each once, whatever its id. */
  execute: (spaceId: string, month: string, commandId: string, command: LedgerCommand) =>
    handle(ledger, {
      stream: ledgerStream(spaceId, month),
      context: systemContext('delivery', commandId),
      commandIdAt: () => commandId,
      decide: async (state) => decide(command, state),
    }),
})
export type LedgerCommands = ReturnType<typeof createLedgerCommands>
