import { readModel } from '../projector/read-model.ts'
import { PAYMENTS, applyPayments, concernsPayments } from './payments.ts'

export const payments = readModel({
  name: 'payments',
  version: 1,
  tables: PAYMENTS,
  concerns: concernsPayments,
  onFailure: 'park',
  apply: applyPayments,
})
