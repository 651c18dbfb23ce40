import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createPool } from '#platform/database/pool'
import { createTestDatabase } from '../support/database.ts'
import { startLossyProxy } from '../support/lossy-proxy.ts'
import { eventStoreContract } from './event-store.contract.ts'

eventStoreContract('PostgreSQL', { exact: true, networked: true }, async () => {
  const database = await createTestDatabase()
  const proxy = await startLossyProxy(database.url)
  const pool = createPool(proxy.url, { max: 10, applicationName: 'placard-test' })
  return {
    store: createPostgresEventStore({ pool, url: proxy.url }),
    faults: {
      loseAnswer: () => proxy.loseAnswerTo('es_append'),
      cut: () => proxy.cut(),
      down: () => proxy.down(),
      up: () => proxy.up(),
    },
    dispose: async () => {
      await pool.end()
      await proxy.close()
      await database.drop()
    },
  }
})
