import { WHITE_LABELS, applyWhiteLabels, changesWhiteLabels, createWhiteLabelsTable } from './white-labels.ts'
import { tableOf, type ReadModel } from '../projector/read-model.ts'

export const whiteLabels: ReadModel = {
  name: 'white-labels',
  version: 1,
  tables: [WHITE_LABELS],
  concerns: changesWhiteLabels,
  create: (db, tables) => createWhiteLabelsTable(db, tableOf(tables, WHITE_LABELS)),
  onFailure: 'park',
  apply: (db, tables, events) => applyWhiteLabels(db, tableOf(tables, WHITE_LABELS), events),
}
