import { readModel } from '../projector/read-model.ts'
import { INVOICES, applyInvoices, isOfInvoice } from './invoices.ts'

export const invoices = readModel({
  name: 'invoices',
  version: 3,
  tables: INVOICES,
  concerns: isOfInvoice,
  onFailure: 'park',
  apply: applyInvoices,
})
