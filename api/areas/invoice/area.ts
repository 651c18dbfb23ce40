import { invoiceIssued } from '#commands/invoice/mails/invoice'
import type { FastifyInstance } from 'fastify'
import { INVOICE_ENDPOINTS } from '#contract/invoices'
import { area } from '../area.ts'
import type { Served } from '#api/areas/services'
import { registerInvoiceReads } from './invoice-reads.ts'
import { registerInvoiceRoutes } from './invoice-routes.ts'
import { invoiceSweeps, removeStaleClaims } from './policies.ts'

export const invoices = area({
  name: 'invoices',
  summary: 'Invoices, their payments by hand, and credit notes',
  endpoints: INVOICE_ENDPOINTS,
  uses: [
    'accounts',
    'caughtUp',
    'commands.accounts',
    'commands.invoices',
    'db',
    'files',
    'invoices',
    'limits',
    'media',
    'past',
    'people',
    'queueMail',
    'secondPerson',
    'store',
    'threads',
    'whiteLabels',
  ],
  tables: ['app.invoice_attempts', 'app.invoice_numbers', 'app.invoice_periods', 'identity.invoice_parties'],
  mails: {
    invoice: invoiceIssued,
  },
  register(
    app: FastifyInstance,
    kit: Served<
      | 'accounts'
      | 'caughtUp'
      | 'commands.accounts'
      | 'commands.invoices'
      | 'db'
      | 'files'
      | 'invoices'
      | 'limits'
      | 'media'
      | 'past'
      | 'people'
      | 'queueMail'
      | 'secondPerson'
      | 'store'
      | 'threads'
      | 'whiteLabels'
    >,
  ) {
    registerInvoiceReads(app, kit)
    registerInvoiceRoutes(app, kit)
  },
  policies: invoiceSweeps,
  housekeeping: removeStaleClaims,
})
