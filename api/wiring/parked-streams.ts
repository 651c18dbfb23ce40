import type { EventStore } from '#eventstore/event-store'
import { createKysely, createPool } from '#platform/database/pool'
import { retryParked, type RetryParked } from '#projections/projector/parked'
import { READ_MODELS } from '#projections/read-models'
import { BUILD_LIMITS } from '#projections/projector/rebuild'

/** On its own connection: the log is read inside its transaction, on the pool of the log. */
export const createRetryParked =
  (url: string, store: EventStore): RetryParked =>
  async (readModel, stream) => {
    const model = READ_MODELS.find(({ name }) => name === readModel)
    if (model === undefined) return
    const pool = createPool(url, { max: 1, applicationName: 'placard-builds', limits: BUILD_LIMITS })
    try {
      await retryParked(createKysely(pool), store, model, stream)
    } finally {
      await pool.end()
    }
  }
