import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createAccounts } from '../../api/kit/accounts.ts'
import { createMemoryEventStore } from '../../eventstore/memory/memory-event-store.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { ensureLive } from '../../projections/projector/generations.ts'
import { READ_MODELS } from '../../projections/read-models.ts'
import { createTestDatabase } from '../support/database.ts'

test('finds an account that is opened while it waits, and waits for the read model of accounts only', async () => {
  const database = await createTestDatabase()
  const db = createKysely<never>(database.pool)
  for (const model of READ_MODELS) await ensureLive(db, model)
  const waitedFor: unknown[] = []
  const accounts = createAccounts({
    db,
    store: createMemoryEventStore(),
    reached: async (_position, _milliseconds, of) => {
      waitedFor.push(of)
      await sql`
        insert into rm_accounts (space_id, whitelabel_id, name, currency, house, balance, version)
        values ('new', 'dsp', 'New', 'USD', false, 0, 1)`.execute(db)
      // Its time was over a moment before.
      return false
    },
  })
  expect(await accounts.find('new')).toMatchObject({ space_id: 'new', name: 'New' })
  expect(waitedFor).toEqual([['accounts']])
  await database.drop()
})
