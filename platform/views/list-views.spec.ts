import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ListViewState } from '#contract/views'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { removeRowsOf } from '#platform/identity/rows-of'
import { createTestDatabase, type TestDatabase } from '#test/support/database'
import { createListViews, MOST_VIEWS, type ViewRow } from './list-views.ts'

const NOW = '2026-06-01T10:00:00.000Z'
const ADA = { personId: 'ada', list: 'account', placeId: 'nile' } as const
const EVE = { ...ADA, personId: 'eve' }
const state: ListViewState = {
  q: '',
  statuses: [],
  accounts: [],
  range: 'last30',
  sort: 'spent',
  dir: 'desc',
  hidden: [],
  order: [],
  rows: 25,
  density: 'compact',
}

describe('saved views of a list', () => {
  let database: TestDatabase
  let db: Kysely<Db>
  let views: ReturnType<typeof createListViews>
  beforeAll(async () => {
    database = await createTestDatabase()
    db = createKysely(database.pool)
    await database.pool.query(
      `insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email)
       select id, 'dsp', 'nile', '{USER_OWNER}', id, 'Okafor', id || '@nile.example' from unnest(array['ada', 'eve']) id`,
    )
    views = createListViews(db)
  })
  beforeEach(() => database.pool.query('delete from app.list_views'))
  afterAll(() => database.drop())

  const add = (shared: boolean, id = newId()) => views.add(id, ADA, { name: `View ${id}`, shared, state }, NOW)
  const saved = async (shared: boolean): Promise<ViewRow> => {
    const id = newId()
    expect(await add(shared, id)).toEqual({ kind: 'stored', version: 1 })
    return (await views.find(id)) as ViewRow
  }

  // covers FP-102
  it.each([
    ['own', false],
    ['shared', true],
  ])('a list has at most 50 %s saved views, also after concurrent requests and a restore', async (_, shared) => {
    const all = await Promise.all(Array.from({ length: MOST_VIEWS + 2 }, () => add(shared)))
    expect(all.filter(({ kind }) => kind === 'full')).toHaveLength(2)
    // The other kind has places of its own.
    const other = await saved(!shared)
    expect(await views.change(other, { name: 'Other', shared, state }, 1, NOW)).toEqual({ kind: 'full' })
    const first = (await views.of(ADA)).views.find((view) => view.shared === shared) as ViewRow
    await views.remove(first.id, NOW)
    await saved(shared)
    expect(await views.restore(first)).toEqual({ kind: 'full' })
  })

  it('saved views of a list are changed at their version alone, and removed and restored once', async () => {
    const view = await saved(false)
    expect(await views.change(view, { name: 'Quiet', shared: false, state }, 1, NOW)).toEqual({ kind: 'stored', version: 2 })
    expect(await views.change(view, { name: 'Late', shared: false, state }, 1, NOW)).toEqual({ kind: 'changed' })
    expect([await views.remove(view.id, NOW), await views.remove(view.id, NOW)]).toEqual([true, false])
    expect((await views.of(ADA)).views).toEqual([])
    expect([(await views.restore(view)).kind, (await views.restore(view)).kind]).toEqual(['stored', 'changed'])
    expect((await views.of(ADA)).views).toMatchObject([{ id: view.id, name: 'Quiet' }])
  })

  // covers FP-102
  it('saved views of a list open with the list for each user who chose one, until it is removed', async () => {
    const [shared, own] = [await saved(true), await saved(false)]
    for (const { id } of [own, shared]) await views.chooseDefault(ADA, id)
    expect([(await views.of(ADA)).defaultId, (await views.of(EVE)).defaultId]).toEqual([shared.id, null])
    expect((await views.of(EVE)).views.map(({ id }) => id)).toEqual([shared.id])
    await views.remove(shared.id, NOW)
    expect((await views.of(ADA)).defaultId).toBeNull()
    await views.restore(shared)
    expect((await views.of(ADA)).defaultId).toBe(shared.id)
    await views.chooseDefault(ADA, null)
    expect((await views.of(ADA)).defaultId).toBeNull()
  })

  // covers FP-102
  it('saved views of a list are gone for good an hour after they were removed, and with the data of an erased person', async () => {
    const [kept, gone] = [await saved(false), await saved(false)]
    await views.remove(gone.id, NOW)
    await views.purge('2026-06-01T10:59:00.000Z')
    expect(await views.find(gone.id)).not.toBeNull()
    await views.purge('2026-06-01T11:01:00.000Z')
    expect(await views.find(gone.id)).toBeNull()
    await views.chooseDefault(ADA, kept.id)
    await db.transaction().execute((tx) => removeRowsOf('app.list_view_defaults', 'app.list_views')(tx, 'ada'))
    const left = await database.pool.query('select 1 from app.list_views union all select 1 from app.list_view_defaults')
    expect(left.rows).toEqual([])
  })
})
