import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { NameReservation } from '#commands/campaign/campaign-port'
import { createKysely } from '#platform/database/pool'
import { createNameReservations } from '#platform/campaign/names'
import { createTestDatabase } from '../support/database.ts'

const claimOf = (campaignId: string): NameReservation => ({ spaceId: 's', campaignId, name: 'Spring', claim: true })

/**
 * `one` reserved the name long ago and no longer has it, and `two` requests it; `concurrentWork` runs while `one` is checked.
 */
async function asked(concurrentWork: (reserve: (of: NameReservation) => Promise<boolean>) => Promise<void>) {
  const database = await createTestDatabase()
  const db = createKysely(database.pool)
  const plain = createNameReservations(db, async () => false)
  expect(await plain(claimOf('one'))).toBe(true)
  await sql`update app.campaign_names set reserved_at = now() - interval '1 hour'`.execute(db)
  const looking = createNameReservations(db, async () => {
    await concurrentWork(plain)
    return false
  })
  const two = await looking(claimOf('two'))
  const { rows } = await sql<{ campaign_id: string }>`select campaign_id from app.campaign_names`.execute(db)
  await database.drop()
  return { two, holder: rows[0]?.campaign_id }
}

// covers FP-19
test('a released name can be taken over', async () => {
  expect(await asked(async () => {})).toEqual({ two: true, holder: 'two' })
})

// covers FP-19
test('a name that its campaign reserves again cannot be taken over, although its stream does not contain it yet', async () => {
  let one = false
  const { two, holder } = await asked(async (reserve) => {
    one = await reserve(claimOf('one'))
  })
  expect({ one, two, holder }).toEqual({ one: true, two: false, holder: 'one' })
})

test('a name that another campaign has taken over is lost to the first campaign', async () => {
  let three = false
  const { two, holder } = await asked(async (reserve) => {
    three = await reserve(claimOf('three'))
  })
  expect({ three, two, holder }).toEqual({ three: true, two: false, holder: 'three' })
})
