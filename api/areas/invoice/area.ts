import { invoiceIssued } from '#commands/invoice/mails/invoice'
import type { FastifyInstance } from 'fastify'
import { INVOICE_ENDPOINTS } from '#contract/invoices'
import { area } from '../area.ts'
import { USES, type InvoiceServed } from './uses.ts'
import { registerInvoiceReads } from './invoice-reads.ts'
import { registerInvoiceRoutes } from './invoice-routes.ts'
import { invoiceSweeps, removeStaleClaims } from './policies.ts'

export const invoices = area({
  name: 'invoices',
  summary: 'Invoices, their payments by hand, and credit notes',
  endpoints: INVOICE_ENDPOINTS,
  uses: USES,
  tables: ['app.invoice_attempts', 'app.invoice_numbers', 'app.invoice_periods', 'identity.invoice_parties'],
  mails: {
    invoice: invoiceIssued,
  },
  register(app: FastifyInstance, kit: InvoiceServed) {
    registerInvoiceReads(app, kit)
    registerInvoiceRoutes(app, kit)
  },
  policies: invoiceSweeps,
  housekeeping: removeStaleClaims,
})
