import {
  AUDIENCES,
  AUDIENCE_VERSIONS,
  applyAudiences,
  createAudiencesTables,
  indexAudiencesTable,
  isOfAudience,
} from './audiences.ts'
import { tableOf, type ReadModel, type Tables } from '../projector/read-model.ts'

const audienceTables = (tables: Tables) => ({
  audiences: tableOf(tables, AUDIENCES),
  versions: tableOf(tables, AUDIENCE_VERSIONS),
})

export const audiences: ReadModel = {
  name: 'audiences',
  version: 2,
  tables: [AUDIENCES, AUDIENCE_VERSIONS],
  concerns: isOfAudience,
  create: (db, tables) => createAudiencesTables(db, audienceTables(tables)),
  index: (db, tables) => indexAudiencesTable(db, audienceTables(tables)),
  onFailure: 'park',
  apply: (db, tables, events) => applyAudiences(db, audienceTables(tables), events),
}
