import { readModel } from '../projector/read-model.ts'
import { AUDIENCES, applyAudiences, isOfAudience } from './audiences.ts'

export const audiences = readModel({
  name: 'audiences',
  version: 2,
  tables: AUDIENCES,
  concerns: isOfAudience,
  onFailure: 'park',
  apply: applyAudiences,
})
