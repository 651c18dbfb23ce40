import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { createTestDatabase, untilBlocked, type TestDatabase } from '#test/support/database'
import { createAudienceNames } from './audience-names.ts'

describe('names of audiences', () => {
  let database: TestDatabase
  let db: Kysely<Db>
  beforeAll(async () => {
    database = await createTestDatabase()
    db = createKysely(database.pool)
  })
  beforeEach(async () => {
    await database.pool.query('truncate app.audience_names, app.audience_claims cascade')
    expect(await names().claim('nile', 'a', 'Visitors')).toBe(true)
  })
  afterAll(() => database.drop())

  const names = (holdsName = true) => createAudienceNames(db, async () => holdsName)

  // covers ERR-39
  it('names of audiences are claimed once in an account, in any case, and free when their audience has another one', async () => {
    expect(await names().claim('nile', 'b', ' VISITORS ')).toBe(false)
    expect(await names().claim('lagos', 'c', 'Visitors')).toBe(true)
    expect(await names().claim('nile', 'a', 'Guests')).toBe(true)
    expect(await names().claim('nile', 'b', 'Visitors')).toBe(true)
  })

  it('names of audiences are taken over after half a minute where their audience never came to be', async () => {
    expect(await names(false).claim('nile', 'b', 'Visitors')).toBe(false)
    await database.pool.query(`update app.audience_names set reserved_at = now() - interval '31 seconds'`)
    expect(await names().claim('nile', 'b', 'Visitors')).toBe(false)
    expect(await names(false).claim('nile', 'b', 'Visitors')).toBe(true)
  })

  it('names of audiences hide an audience that is being deleted from saves, until the deletion fails or has died', async () => {
    await names().leave('a', true)
    expect([await names().use('nile', ['a'], 'save'), (await names().known('nile', ['a'])).size]).toEqual([false, 0])
    await names().leave('a', false)
    expect(await names().use('nile', ['a'], 'save')).toBe(true)
    await database.pool.query(`update app.audience_names set leaving_at = now() - interval '3 minutes'`)
    expect([...(await names().known('nile', ['a']))]).toEqual(['a'])
  })

  it('names of audiences are in use while a save under way names the audience, for a minute at most', async () => {
    expect(await names().use('nile', ['a', 'unknown'], 'save')).toBe(false)
    await names().release('save')
    expect(await names().inUse('a')).toBe(false)
    expect([await names().use('nile', ['a'], 'save'), await names().inUse('a')]).toEqual([true, true])
    await database.pool.query(`update app.audience_claims set claimed_at = now() - interval '61 seconds'`)
    expect(await names().inUse('a')).toBe(false)
    await names().removeExpired()
    expect((await database.pool.query('select 1 from app.audience_claims')).rowCount).toBe(0)
  })

  it('a save waits for a deletion that is being recorded, and is refused after it', async () => {
    const deletion = await database.pool.connect()
    try {
      await deletion.query('begin')
      await deletion.query(`update app.audience_names set leaving_at = now() where audience_id = 'a'`)
      const save = names().use('nile', ['a'], 'a save beside it')
      await untilBlocked(database.pool, save)
      await deletion.query('commit')
      expect(await save).toBe(false)
    } finally {
      await deletion.query('rollback')
      deletion.release()
    }
  })
})
