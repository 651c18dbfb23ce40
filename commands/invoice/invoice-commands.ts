import { systemContext } from '#domain/kit/event-metadata'
import { decodeInvoiceEvent, invoiceStream, type InvoiceEvent } from '#domain/invoice/events'
import { decide, type InvoiceCommand } from '#domain/invoice/invoice'
import { evolve, initial, type InvoiceState } from '#domain/invoice/state'
import type { CommandContext } from '#domain/kit/event-metadata'
import type { AccountCommands } from '../account/account-commands.ts'
import { createCommands } from '../aggregate.ts'
import type { Handle, Handled } from '../handle.ts'
import { createClaims } from './claimed-period.ts'
import { createFinish } from './finish-invoice.ts'
import type { ChargeCard, InvoicePort } from './invoice-port.ts'

export type InvoiceDeps = {
  readonly accounts: AccountCommands
  readonly port: InvoicePort
  /** A command id that is the same for the same parts (fine print 17). */
  readonly commandId: (...parts: readonly string[]) => string
  readonly chargeCard: ChargeCard
}

export type ExecuteInvoice = (
  id: string,
  context: CommandContext,
  command: InvoiceCommand,
) => Promise<Handled<InvoiceState, InvoiceEvent>>

/** Commands of invoices and credit notes. `finish` carries out what a command decided; it can be repeated at any time. */
export function createInvoiceCommands(handle: Handle, deps: InvoiceDeps) {
  const { execute } = createCommands(handle, { initial, evolve, decide, decode: decodeInvoiceEvent, streamOf: invoiceStream })
  // Reads record nothing: their context is never stored.
  const reader = () => systemContext('invoices', deps.commandId('invoice', 'read'))
  return { execute, finish: createFinish({ ...deps, execute }), ...createClaims({ port: deps.port, execute, context: reader }) }
}
export type InvoiceCommands = ReturnType<typeof createInvoiceCommands>
