import { readModel } from '#projections/projector/read-model'
import { MODERATION_QUEUE, applyModerationQueue, changesQueue } from './moderation-queue.ts'

export const moderationQueue = readModel({
  name: 'moderation-queue',
  version: 3,
  tables: MODERATION_QUEUE,
  concerns: changesQueue,
  onFailure: 'park',
  apply: applyModerationQueue,
})
