import { readModel } from '../projector/read-model.ts'
import { REGISTRATIONS, applyRegistrations, isOfRegistration } from './registrations.ts'

export const registrations = readModel({
  name: 'registrations',
  version: 1,
  tables: REGISTRATIONS,
  concerns: isOfRegistration,
  onFailure: 'park',
  apply: applyRegistrations,
})
