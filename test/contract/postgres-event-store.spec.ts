import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { createTestDatabase } from '../support/database.ts'
import { eventStoreContract } from './event-store.contract.ts'

eventStoreContract('PostgreSQL', async () => {
  const database = await createTestDatabase()
  return { store: createPostgresEventStore(database), dispose: () => database.drop() }
})
