import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { NameReservation } from '../../commands/campaign/campaign-port.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { createNameReservations } from '../../platform/names.ts'
import { createTestDatabase } from '../support/database.ts'

const claimOf = (campaignId: string): NameReservation => ({ spaceId: 's', campaignId, name: 'Spring', claim: true })

/** A name that `one` reserved long ago and no longer has, and that `two` requests; `meanwhile` runs while `one` is checked. */
async function asked(meanwhile: (reserve: (of: NameReservation) => Promise<boolean>) => Promise<void>) {
  const database = await createTestDatabase()
  const db = createKysely<never>(database.pool)
  const plain = createNameReservations(db, async () => false)
  expect(await plain(claimOf('one'))).toBe(true)
  await sql`update app.campaign_names set reserved_at = now() - interval '1 hour'`.execute(db)
  const looking = createNameReservations(db, async () => {
    await meanwhile(plain)
    return false
  })
  const two = await looking(claimOf('two'))
  const { rows } = await sql<{ campaign_id: string }>`select campaign_id from app.campaign_names`.execute(db)
  await database.drop()
  return { two, holder: rows[0]?.campaign_id }
}

test('a name that was given up may be taken over', async () => {
  expect(await asked(async () => {})).toEqual({ two: true, holder: 'two' })
})

test('a name that its campaign takes up again is not taken over, though its stream does not have it yet', async () => {
  let one = false
  const { two, holder } = await asked(async (reserve) => {
    one = await reserve(claimOf('one'))
  })
  expect({ one, two, holder }).toEqual({ one: true, two: false, holder: 'one' })
})

test('a name that another campaign has taken over is no longer one’s own', async () => {
  let three = false
  const { two, holder } = await asked(async (reserve) => {
    three = await reserve(claimOf('three'))
  })
  expect({ three, two, holder }).toEqual({ three: true, two: false, holder: 'three' })
})
