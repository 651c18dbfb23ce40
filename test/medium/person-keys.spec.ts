import { ERASERS } from '#api/areas/index'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { erasePerson } from '#platform/identity/erasure'
import { createPeople } from '#platform/identity/people'
import { createKysely, createPool } from '#platform/database/pool'
import { createDataKey } from '#platform/identity/data-key'
import { createPersonKeys } from '#platform/identity/person-keys'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

describe('keys of users', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it('keys of users are created once when two processes create the first key concurrently', async () => {
    const pools = [1, 2].map(() => createPool(database.url, { max: 4, applicationName: 'placard-test' }))
    try {
      const processes = pools.map((pool) => createPersonKeys({ db: createKysely(pool), dataKey: createDataKey([]) }))
      for (let n = 0; n < 25; n++) {
        const person = randomUUID()
        const made = await Promise.all([...processes, ...processes].map((keys) => keys.keyFor(person)))
        expect(new Set(made.map((key) => Buffer.from(key ?? []).toString('hex'))).size).toBe(1)
        expect(made[0]?.length).toBe(32)
      }
    } finally {
      await Promise.all(pools.map((pool) => pool.end()))
    }
  })

  it('keys of users are never created again for an erased user', async () => {
    const db = createKysely(database.pool)
    const keys = createPersonKeys({ db, dataKey: createDataKey([]) })
    const [had, never] = [randomUUID(), randomUUID()]
    await keys.keyFor(had)
    expect(await erasePerson(db, had, ERASERS)).toMatchObject({ key: true })
    expect(await erasePerson(db, never, ERASERS)).toMatchObject({ key: false })
    expect(await Promise.all([keys.keyFor(had), keys.keyFor(never)])).toEqual([null, null])
    expect((await keys.keysOf([had, never])).size).toBe(0)
  })

  it('keys of users of an erased user restored from a backup are erased again, and the user stays anonymous', async () => {
    const db = createKysely(database.pool)
    const people = createPeople(db, { demo: true })
    const id = randomUUID()
    const email = `${id}@dsp.example`
    await people.create({
      id,
      whitelabel_id: 'dsp',
      home_space_id: 'house',
      roles: ['WL_OWNER'],
      first_name: 'Old',
      last_name: 'Backup',
      email,
      phone: null,
      password: 'Placard#2026',
    })
    const before = await people.find(id)
    await erasePerson(db, id, ERASERS)
    await database.pool.query(
      `update identity.people set first_name = 'Old', last_name = 'Backup', email = $2, token_version = $3 where id = $1`,
      [id, email, before?.token_version],
    )
    expect(await people.find(id)).toBeNull()
    expect(await people.authenticate('dsp', email, 'Placard#2026')).toBeNull()
    expect((await people.namesOf([id])).get(id)?.name).toBe('Erased person')
    await erasePerson(db, id, ERASERS)
    const { rows } = await database.pool.query('select first_name, last_name, email, phone from identity.people where id = $1', [
      id,
    ])
    expect(rows).toEqual([{ first_name: '', last_name: '', email: `${id}@erased.invalid`, phone: null }])
  })
})
