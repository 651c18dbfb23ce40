import {
  ACCOUNT_CARDS,
  AUTO_REFILLS,
  PAYMENTS,
  applyPayments,
  concernsPayments,
  createPaymentsTables,
  indexPaymentsTables,
} from './payments.ts'
import { tableOf, type ReadModel, type Tables } from '../projector/read-model.ts'

const paymentTables = (tables: Tables) => ({
  payments: tableOf(tables, PAYMENTS),
  cards: tableOf(tables, ACCOUNT_CARDS),
  autoRefills: tableOf(tables, AUTO_REFILLS),
})

export const payments: ReadModel = {
  name: 'payments',
  version: 1,
  tables: [PAYMENTS, ACCOUNT_CARDS, AUTO_REFILLS],
  concerns: concernsPayments,
  create: (db, tables) => createPaymentsTables(db, paymentTables(tables)),
  index: (db, tables) => indexPaymentsTables(db, paymentTables(tables)),
  onFailure: 'park',
  apply: (db, tables, events) => applyPayments(db, paymentTables(tables), events),
}
