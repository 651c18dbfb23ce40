import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import { createKysely } from '#platform/database/pool'
import { createTestDatabase } from '../support/database.ts'
import { factStoreContract } from './fact-store.contract.ts'

factStoreContract('PostgreSQL', async () => {
  const database = await createTestDatabase()
  const open = () => createPostgresFactStore(createKysely(database.pool))
  return { store: open(), another: open, stop: () => database.drop() }
})
