import { systemContext } from '#domain/kit/event-metadata'
import { decodeInvoiceEvent, invoiceStream } from '#domain/invoice/events'
import { decide } from '#domain/invoice/invoice'
import { evolve, initial } from '#domain/invoice/state'
import { createCommands } from '../aggregate.ts'
import type { Handle } from '../handle.ts'
import { createClaims } from './claimed-period.ts'
import { createFinish } from './finish-invoice.ts'
import type { InvoiceDeps } from './invoice-port.ts'

/** Commands of invoices and credit notes. `finish` carries out what a command decided; it can be repeated at any time. */
export function createInvoiceCommands(handle: Handle, deps: InvoiceDeps) {
  const { execute } = createCommands(handle, { initial, evolve, decide, decode: decodeInvoiceEvent, streamOf: invoiceStream })
  // Reads record nothing: their context is never stored.
  const reader = () => systemContext('invoices', deps.commandId('invoice', 'read'))
  return { execute, finish: createFinish({ ...deps, execute }), ...createClaims({ port: deps.port, execute, context: reader }) }
}
export type InvoiceCommands = ReturnType<typeof createInvoiceCommands>
