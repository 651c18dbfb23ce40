import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailEndingKeys } from '#commands/identity/ending-keys'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { derivedId, newId } from '#platform/ids'
import { createMailKeys } from '#platform/mail/mail-keys'
import { queueMail } from '#platform/mail/mail-queue'
import { createTestDatabase, type TestDatabase } from '#test/support/database'
import { createApiKeys } from './api-keys.ts'
import { createEndingApiKeys } from './ending-keys.ts'
import { createPeople } from './people.ts'

const DAY_MS = 86_400_000

describe('API keys', () => {
  let database: TestDatabase
  let db: Kysely<Db>
  let time = 0
  let user = ''
  beforeAll(async () => {
    database = await createTestDatabase()
    db = createKysely(database.pool)
  })
  beforeEach(async () => {
    time = Date.parse('2030-01-01T12:00:00.000Z')
    user = newId()
    await createPeople(db, { demo: true }).create({
      id: user,
      whitelabel_id: 'dsp',
      home_space_id: 'nile',
      roles: ['USER_OWNER'],
      first_name: 'Amina',
      last_name: 'Okafor',
      email: `${user}@nile.example`,
      phone: null,
      password: 'Analytical#Engine#1843',
    })
  })
  afterAll(() => database.drop())

  const now = () => new Date(time).toISOString()
  const inDays = (days: number) => new Date(time + days * DAY_MS).toISOString()
  const keys = () => createApiKeys({ db, now, newId, demo: true })
  const run = (text: string, ...values: readonly unknown[]) => database.pool.query(text, [...values])
  const version = async () => (await run('select token_version from identity.people where id = $1', user)).rows[0].token_version
  const make = async (days = 30) =>
    keys().create(user, await version(), { name: 'CI', scopes: ['read'], expires_at: inDays(days) })
  const made = async (days = 30) => {
    const key = await make(days)
    if (key === null) throw new Error('there are too many keys')
    return key
  }
  const rotate = async (id: string) => keys().rotate(user, await version(), { id, most: 90 })
  const works = async (key: string) => (await keys().find(key)) !== null

  it('API keys created at once stay within the limit', async () => {
    for (let n = 0; n < 20; n += 1) await made()
    const more = await Promise.all(Array.from({ length: 9 }, () => make()))
    expect(more.filter((key) => key !== null)).toHaveLength(5)
  })

  it('API keys that were rotated do not count towards the limit, which their successors do', async () => {
    const all = await Promise.all(Array.from({ length: 25 }, () => made()))
    expect(await make()).toBeNull()
    expect((await rotate(all[0]?.id ?? '')).kind).toBe('made')
    expect(await make()).toBeNull()
    await keys().revoke(user, all[1]?.id ?? '')
    expect([await make(), await make()]).toMatchObject([{ id: expect.any(String) }, null])
  })

  it('thirty rotations at once make one key', async () => {
    const { id } = await made()
    const done = await Promise.all(Array.from({ length: 30 }, () => rotate(id)))
    expect(done.map(({ kind }) => kind).toSorted()).toEqual(['made', ...Array.from({ length: 29 }, () => 'replaced')])
    expect(await keys().list(user)).toHaveLength(2)
  })

  // covers FP-86
  it('API keys are not rotated twice, nor while the key before still works, nor by another user', async () => {
    const old = await made()
    const rotation = await rotate(old.id)
    const next = rotation.kind === 'made' ? rotation.made.id : ''
    expect([(await rotate(old.id)).kind, (await rotate(next)).kind]).toEqual(['replaced', 'overlapping'])
    expect(await keys().revoke('someone else', old.id)).toBe(false)
    await keys().revoke(user, old.id)
    expect((await rotate(next)).kind).toBe('made')
    expect((await rotate('unknown')).kind).toBe('unknown')
  })

  it('API keys are refused once they have expired', async () => {
    const { key } = await made(1)
    expect(await works(key)).toBe(true)
    time += DAY_MS
    expect(await works(key)).toBe(false)
  })

  it('API keys are not made by a session that the password has ended', async () => {
    const before = await version()
    await createPeople(db, { demo: true }).setPassword(user, 'Quiet#River7')
    const late = keys().create(user, before, { name: 'Late', scopes: ['read'], expires_at: inDays(1) })
    await expect(late).rejects.toMatchObject({ rejection: { code: 401 } })
  })

  // covers FP-73
  it.each([
    ['a new password', `update identity.people set password_hash = 'new' where id = $1`],
    ['other roles', `update identity.people set roles = '{ACCOUNTANT}' where id = $1`],
    ['a suspension', `update identity.people set suspended = true where id = $1`],
    ['a deactivation', `update identity.people set status_key = 3 where id = $1`],
  ])('API keys and links for a new password end with %s', async (_, change) => {
    const { key } = await made()
    await createMailKeys(db, now).create(user, 'reset')
    const left = async () =>
      (
        await run(
          `select (select count(*)::int from identity.api_keys where person_id = $1 and revoked_at is null) as keys,
            (select count(*)::int from identity.mail_keys where person_id = $1 and used_at is null) as links`,
          user,
        )
      ).rows[0]
    expect([await left(), await works(key)]).toEqual([{ keys: 1, links: 1 }, true])
    await run(change, user)
    expect([await left(), await works(key)]).toEqual([{ keys: 0, links: 0 }, false])
  })

  it('API keys end with the suspension of the white-label of their user', async () => {
    const { key } = await made()
    await run(`update identity.people set whitelabel_id = 'gone' where id = $1`, user)
    await run(`insert into identity.suspended_whitelabels (whitelabel_id) values ('gone')`)
    expect(await works(key)).toBe(false)
  })

  // covers FP-86
  it('API keys are mailed to their holder once, seven days before', async () => {
    await run('delete from identity.api_keys where person_id <> $1', user)
    const [due, , revoked, rotated] = [await made(), await made(7), await made(), await made()]
    await keys().revoke(user, revoked.id)
    const rotation = await rotate(rotated.id)
    const successor = rotation.kind === 'made' ? rotation.made.id : ''
    const sweep = () => mailEndingKeys({ db, keys: createEndingApiKeys(db), queueMail, derivedId, now })
    // Two processes, which scan at once and after restarts.
    const round = async () => {
      const found = (await Promise.all([sweep().scan([]), sweep().scan([])])).flat()
      await Promise.all(found.map(({ act }) => act()))
      return (await run(`select 1 from app.mails where person_id = $1 and template = 'api-key-ending'`, user)).rows.length
    }
    time += 22 * DAY_MS
    expect(await round()).toBe(0)
    time += DAY_MS
    expect(await round()).toBe(2)
    const { rows } = await run('select id from identity.api_keys where end_mailed_at is not null order by id')
    expect(rows.map(({ id }) => id)).toEqual([due.id, successor].toSorted())
    expect(await round()).toBe(2)
    time += DAY_MS
    expect(await round()).toBe(2)
    // Mails are kept for a time only.
    await run('delete from app.mails where person_id = $1', user)
    expect(await round()).toBe(0)
  })
})
