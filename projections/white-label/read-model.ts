import { readModel } from '../projector/read-model.ts'
import { WHITE_LABELS, applyWhiteLabels, changesWhiteLabels } from './white-labels.ts'

export const whiteLabels = readModel({
  name: 'white-labels',
  version: 1,
  tables: WHITE_LABELS,
  concerns: changesWhiteLabels,
  onFailure: 'park',
  apply: applyWhiteLabels,
})
