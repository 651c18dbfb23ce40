import type { FastifyInstance } from 'fastify'
import { INVOICE_ENDPOINTS } from '#contract/invoices'
import type { Area } from '../area.ts'
import type { HttpKit } from '../kit.ts'
import { registerInvoiceReads } from './invoice-reads.ts'
import { registerInvoiceRoutes } from './invoice-routes.ts'
import { invoiceSweeps, removeStaleClaims } from './policies.ts'

export const invoices: Area = {
  name: 'invoices',
  summary: 'Invoices, their payments by hand, and credit notes',
  endpoints: INVOICE_ENDPOINTS,
  register(app: FastifyInstance, kit: HttpKit) {
    registerInvoiceReads(app, kit)
    registerInvoiceRoutes(app, kit)
  },
  policies: invoiceSweeps,
  housekeeping: removeStaleClaims,
}
