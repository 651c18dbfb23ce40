import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MOST_LABELS, MOST_LABELS_OF_CAMPAIGN } from '#domain/campaign/labels'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { createTestDatabase, type TestDatabase } from '#test/support/database'
import { createLabels, forgetLabeller } from './labels.ts'

const NOW = '2026-06-01T10:00:00.000Z'
const ADA = { personId: 'ada', now: NOW }

describe('labels of an account', () => {
  let database: TestDatabase
  let db: Kysely<Db>
  beforeAll(async () => {
    database = await createTestDatabase()
    db = createKysely(database.pool)
    await database.pool.query(
      `insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email)
       select id, 'dsp', 'nile', '{USER_OWNER}', id, 'Okafor', id || '@nile.example' from unnest(array['ada', 'eve']) id`,
    )
  })
  beforeEach(() => database.pool.query('delete from app.labels'))
  afterAll(() => database.drop())

  const label = (name: string, id = newId()) => ({ id, space_id: 'nile', name, color: 'teal' as const })
  const add = (one: ReturnType<typeof label>) => createLabels(db).add({ ...one, ...ADA })
  const added = async (name: string) => {
    const one = label(name)
    expect(await add(one)).toBe('stored')
    return one
  }
  const names = async () => (await createLabels(db).of('nile')).map(({ name, campaigns }) => [name, campaigns])
  const apply = (campaignId: string, edit: { readonly add?: readonly string[]; readonly remove?: readonly string[] }) =>
    createLabels(db).apply('nile', [{ campaignId, add: [], remove: [], ...edit }], ADA)

  it('labels of an account have each name once in any case, also after a change', async () => {
    const autumn = await added('Autumn')
    const sale = await added('Sale')
    const labels = createLabels(db)
    expect(await add(label('AUTUMN'))).toBe('taken')
    expect(await add(autumn)).toBe('stored')
    expect(await labels.change({ ...sale, name: 'autumn' })).toBe('taken')
    expect(await labels.change({ ...autumn, name: 'AUTUMN' })).toBe('stored')
    expect(await labels.add({ ...label('Sale'), space_id: 'lagos', ...ADA })).toBe('stored')
    expect(await names()).toEqual([
      ['AUTUMN', 0],
      ['Sale', 0],
    ])
    expect([await labels.remove(sale), await labels.remove(sale), await labels.change(sale)]).toEqual([0, null, 'unknown'])
  })

  // covers FP-107
  it('an account has at most 100 labels, also after concurrent requests', async () => {
    const results = await Promise.all(Array.from({ length: MOST_LABELS + 20 }, (_, n) => add(label(`Label ${n}`))))
    expect(results.filter((result) => result === 'full')).toHaveLength(20)
    expect(await names()).toHaveLength(MOST_LABELS)
  })

  it('labels of one name are created once by concurrent requests', async () => {
    const results = await Promise.all(Array.from({ length: 30 }, () => add(label('Same'))))
    expect(results.filter((result) => result === 'stored')).toHaveLength(1)
  })

  // covers FP-107
  it('a campaign has at most 10 labels, also after concurrent requests: a campaign beyond keeps what it has', async () => {
    const ids: string[] = []
    for (let n = 0; n < 20; n += 1) ids.push((await added(`Label ${n}`)).id)
    const results = await Promise.all(ids.map((id) => apply('c', { add: [id] })))
    expect(results.flat().filter(({ kind }) => kind === 'done')).toHaveLength(MOST_LABELS_OF_CAMPAIGN)
    expect(await apply('c', { add: ids })).toEqual([{ kind: 'full' }])
    expect(await createLabels(db).ofCampaign('c')).toHaveLength(MOST_LABELS_OF_CAMPAIGN)
    await apply('c', { remove: ids })
    expect(await createLabels(db).ofCampaign('c')).toEqual([])
  })

  // covers FP-107
  it('labels of an account keep who labelled a campaign and when, until an erasure', async () => {
    const { id } = await added('Sale')
    await apply('c', { add: [id] })
    // Labels again change neither the person nor the time.
    await createLabels(db).apply('nile', [{ campaignId: 'c', add: [id], remove: [] }], {
      personId: 'eve',
      now: '2027-01-01T00:00:00.000Z',
    })
    expect(await createLabels(db).ofCampaign('c')).toMatchObject([{ id, person_id: 'ada', labelled_at: NOW }])
    await db.transaction().execute((tx) => forgetLabeller(tx, 'ada'))
    expect(await createLabels(db).ofCampaign('c')).toMatchObject([{ id, person_id: null }])
    expect(await db.selectFrom('app.labels').select('id').where('person_id', 'is not', null).execute()).toEqual([])
  })
})
