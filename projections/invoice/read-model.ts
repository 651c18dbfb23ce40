import {
  INVOICES,
  INVOICE_HISTORY,
  INVOICE_LINES,
  applyInvoices,
  createInvoiceTables,
  indexInvoiceTables,
  isOfInvoice,
} from './invoices.ts'
import { tableOf, type ReadModel, type Tables } from '../projector/read-model.ts'

const invoiceTables = (tables: Tables) => ({
  invoices: tableOf(tables, INVOICES),
  lines: tableOf(tables, INVOICE_LINES),
  history: tableOf(tables, INVOICE_HISTORY),
})

export const invoices: ReadModel = {
  name: 'invoices',
  version: 3,
  tables: [INVOICES, INVOICE_LINES, INVOICE_HISTORY],
  concerns: isOfInvoice,
  create: (db, tables) => createInvoiceTables(db, invoiceTables(tables)),
  index: (db, tables) => indexInvoiceTables(db, invoiceTables(tables)),
  onFailure: 'park',
  apply: (db, tables, events) => applyInvoices(db, invoiceTables(tables), events),
}
