import {
  REGISTRATIONS,
  applyRegistrations,
  createRegistrationsTable,
  indexRegistrationsTable,
  isOfRegistration,
} from './registrations.ts'
import { tableOf, type ReadModel } from '../projector/read-model.ts'

export const registrations: ReadModel = {
  name: 'registrations',
  version: 1,
  tables: [REGISTRATIONS],
  concerns: isOfRegistration,
  create: (db, tables) => createRegistrationsTable(db, tableOf(tables, REGISTRATIONS)),
  index: (db, tables) => indexRegistrationsTable(db, tableOf(tables, REGISTRATIONS)),
  onFailure: 'park',
  apply: (db, tables, events) => applyRegistrations(db, tableOf(tables, REGISTRATIONS), events),
}
