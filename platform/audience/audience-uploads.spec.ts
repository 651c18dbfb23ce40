import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { createTestDatabase, type TestDatabase } from '#test/support/database'
import { createAudienceUploads } from './audience-uploads.ts'

describe('an upload of an audience', () => {
  let database: TestDatabase
  let db: Kysely<Db>
  beforeAll(async () => {
    database = await createTestDatabase()
    db = createKysely(database.pool)
  })
  afterAll(() => database.drop())

  const place = { audienceId: 'a', spaceId: 'nile', whitelabelId: 'dsp' }
  const counts = { rows: 4, rejected: 1, reasons: { format: 1 } }
  const countOf = async (table: string) => Number((await database.pool.query(`select count(*) as n from app.${table}`)).rows[0].n)
  /** An upload of three members and a rejected row. */
  async function begun() {
    const id = newId()
    const uploads = createAudienceUploads(db)
    await uploads.begin(id, place, new Date().toISOString())
    const members = Buffer.concat(Array.from({ length: 3 }, (_, n) => Buffer.concat([Buffer.from([7]), Buffer.alloc(15, n)])))
    await uploads.add(id, 0, { members: [{ bucket: 7, members }], rejected: [[9, 'format']] }, counts)
    return { id, uploads }
  }

  it('an upload of an audience that a process left while it received the file leaves nothing', async () => {
    const { uploads } = await begun()
    expect(await uploads.removeAbandoned(600)).toBe(0)
    await database.pool.query(`update app.audience_uploads set alive_at = now() - interval '1 hour'`)
    expect(await uploads.removeAbandoned(600)).toBe(1)
    expect([await countOf('audience_parts'), await countOf('audience_rejected_rows')]).toEqual([0, 0])
  })

  it('an upload of an audience without room for its members makes no audience of a part of them', async () => {
    const { id, uploads } = await begun()
    const context = {
      actor: 'ada',
      role: 'USER_OWNER',
      on_behalf_of: null,
      source: 'ui',
      command_id: id,
      body_hash: null,
      correlation: '',
      causation: null,
    } as const
    await uploads.received(id, { ...place, name: 'Visitors', context, ...counts })
    const upload = await uploads.find(id)
    if (upload === null) throw new Error('the upload is not there')
    expect(await uploads.merge({ ...upload, version: 1 }, 16)).toBeNull()
    expect(await countOf('audience_members')).toBe(0)
  })
})
