import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import { startProjector } from '#projections/projector/projector'
import { READ_MODELS } from '#projections/read-models'
import { product } from '../support/campaign-commands.ts'
import { createTestDatabase } from '../support/database.ts'
import { everyLease } from '../support/leases.ts'
import { eventually } from '../support/product.ts'

// covers FP-53
test('an event that only a newer version can decode parks no stream: the read model waits and continues after the upgrade', async () => {
  const database = await createTestDatabase()
  const db = createKysely(database.pool)
  const store = createPostgresEventStore(database)
  const { create } = product(store)
  await create('one')
  await create('two')
  const version = async (to: number) => {
    // Bypasses the append-only trigger to simulate the upgrade, after which this build can decode the event.
    await sql`alter table es.events disable trigger all`.execute(db)
    await sql`update es.events set schema_version = ${to} where stream_id = 'campaign-one'`.execute(db)
    await sql`alter table es.events enable trigger all`.execute(db)
  }
  await version(2)
  let failures = 0
  const projector = await startProjector({
    db,
    url: database.url,
    store,
    models: READ_MODELS,
    leases: everyLease,
    onError: () => (failures += 1),
    retryMs: [5],
  })
  const reason = async () => {
    const { rows } = await sql<{ message: string | null }>`
      select error ->> 'message' as message from es.subscriptions where name = 'campaign-list' and status = 'live'`.execute(db)
    return rows[0]?.message ?? ''
  }
  // Far more failures than park a stream.
  await eventually(
    async () => failures,
    (count) => count > 60,
  )
  expect(await reason()).toMatch(/^waiting for a newer version: cannot read CampaignCreated, schema version 2, /)
  const { rows: parked } = await sql`select stream_id from es.dead_letters`.execute(db)
  expect(parked).toEqual([])

  await version(1)
  expect(await projector.reached(await store.head(), 5000)).toBe(true)
  const { rows } = await sql`select id from rm_campaign_list order by id`.execute(db)
  expect(rows).toEqual([{ id: 'one' }, { id: 'two' }])
  await projector.stop()
  await store.close()
  await database.drop()
})
