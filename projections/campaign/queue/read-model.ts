import {
  MODERATION_QUEUE,
  applyModerationQueue,
  changesQueue,
  createModerationQueueTable,
  indexModerationQueueTable,
} from './moderation-queue.ts'
import { tableOf, type ReadModel } from '#projections/projector/read-model'

export const moderationQueue: ReadModel = {
  name: 'moderation-queue',
  version: 3,
  tables: [MODERATION_QUEUE],
  concerns: changesQueue,
  create: (db, tables) => createModerationQueueTable(db, tableOf(tables, MODERATION_QUEUE)),
  index: (db, tables) => indexModerationQueueTable(db, tableOf(tables, MODERATION_QUEUE)),
  onFailure: 'park',
  apply: (db, tables, events, memory) => applyModerationQueue(db, tableOf(tables, MODERATION_QUEUE), events, memory),
}
