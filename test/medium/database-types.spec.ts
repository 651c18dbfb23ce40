import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { databaseTypes, TYPES_FILE } from '../support/database-types.ts'

it('migrations/db.ts has the tables of the migrations: run "npm run db:types" after a change', async () => {
  const database = await createTestDatabase()
  try {
    expect(readFileSync(TYPES_FILE, 'utf8')).toBe(await databaseTypes(database.pool))
  } finally {
    await database.drop()
  }
})
