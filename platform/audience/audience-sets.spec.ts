import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKysely } from '#platform/database/pool'
import { createTestDatabase, type TestDatabase } from '#test/support/database'
import { insertRows } from '#test/support/rows'
import { createAudienceSets } from './audience-sets.ts'

describe('an audience that is too small to be published', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  type State = 'receiving' | 'received' | 'stored' | 'recorded' | 'failed'
  /** An audience whose versions have so many members, and whose uploads are in these states. */
  async function stored(id: string, members: readonly number[], uploads: readonly State[]): Promise<void> {
    const place = { audience_id: id, space_id: 'nile', whitelabel_id: 'dsp' }
    const sets = members.map((count, n) => ({ ...place, version: n + 1, members: count, etag: '' }))
    if (sets.length > 0) await insertRows(database.pool, 'app.audience_sets', sets)
    const files = uploads.map((state, n) => ({ ...place, id: `${id} ${n}`, version: n + 1, state, received_at: '2026-11-01' }))
    if (files.length > 0) await insertRows(database.pool, 'app.audience_uploads', files)
  }
  const small = (...ids: readonly string[]) => createAudienceSets(createKysely(database.pool)).small('nile', ids)

  it.each<readonly [title: string, members: readonly number[], uploads: readonly State[], expected: boolean]>([
    ['is a list of 99', [99], ['recorded'], true],
    ['is not a list of 100', [100], ['recorded'], false],
    ['is a list whose newest version is smaller', [100, 99], ['recorded', 'recorded'], true],
    ['is not a list whose newest version is larger', [1, 100], ['recorded', 'recorded'], false],
    ['is a list without members whose file failed', [], ['failed'], true],
    ['is a small list of which another file failed', [1], ['recorded', 'failed'], true],
    ['is not one whose file is in processing', [], ['received'], false],
    ['is not one of which another file is in processing', [1], ['recorded', 'stored'], false],
    ['is a small one of which another file arrives', [1], ['recorded', 'receiving'], true],
    ['is not one of rules', [0], [], false],
    ['is not one of rules whose members are not determined yet', [], [], false],
  ])('an audience that is too small to be published: %s', async (title, members, uploads, expected) => {
    await stored(title, members, uploads)
    expect(await small(title)).toBe(expected)
  })

  // covers FP-62
  it('an audience that is too small to be published is found among large ones, and is none of another account', async () => {
    await stored('large', [100], ['recorded'])
    await stored('tiny', [1], ['recorded'])
    expect(await small('large', 'unknown')).toBe(false)
    expect(await small('large', 'tiny')).toBe(true)
    expect(await createAudienceSets(createKysely(database.pool)).small('lagos', ['tiny'])).toBe(false)
  })
})
