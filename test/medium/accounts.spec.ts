import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createAccounts } from '#projections/account/account-lookup'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { createKysely } from '#platform/database/pool'
import { ensureLive } from '#projections/projector/generations'
import { READ_MODELS } from '#projections/read-models'
import { createTestDatabase } from '../support/database.ts'

test('a command waits for an account that is opened, and only for the read model of accounts', async () => {
  const database = await createTestDatabase()
  const db = createKysely(database.pool)
  for (const model of READ_MODELS) await ensureLive(db, model)
  const waitedFor: unknown[] = []
  const accounts = createAccounts({
    db,
    store: createMemoryEventStore(),
    reached: async (_position, _milliseconds, of) => {
      waitedFor.push(of)
      await sql`
        insert into rm_accounts (space_id, whitelabel_id, name, currency, house, balance, credit_limit, settlements, version)
        values ('new', 'dsp', 'New', 'USD', false, 0, 0, 0, 1)`.execute(db)
      // The wait has just timed out.
      return false
    },
  })
  expect(await accounts.find('new')).toMatchObject({ space_id: 'new', name: 'New' })
  expect(waitedFor).toEqual([['accounts']])
  await database.drop()
})
