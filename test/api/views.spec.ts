import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ListView, ListViewState, ViewedList } from '#contract/views'
import { startTwoWhiteLabels, type World } from '../support/two-white-labels.ts'

type Listed = { readonly views: readonly ListView[]; readonly default_id: string | null; readonly may_share: boolean }

const STATE: ListViewState = {
  q: 'autumn',
  statuses: [3, 41],
  accounts: [],
  range: 'last30',
  sort: 'spent',
  dir: 'desc',
  hidden: ['clicks'],
  order: ['spent', 'impressions'],
  rows: 25,
  density: 'compact',
}

describe('saved views of lists of campaigns', () => {
  let world: World
  beforeAll(async () => {
    world = await startTwoWhiteLabels()
  })
  afterAll(() => world.stop())
  beforeEach(() => query('delete from app.list_views'))

  const query = async <T extends object>(text: string, values: readonly unknown[] = []) =>
    (await world.product.database.pool.query<T>(text, [...values])).rows
  const as = (name: string) => {
    const session = world.sessions[name]
    if (session === undefined) throw new Error(`there is no ${name}`)
    return session
  }
  type Fields = { readonly name: string; readonly shared: boolean; readonly state: ListViewState }
  const save = (by: string, more: Partial<Fields> & { readonly list?: ViewedList } = {}) =>
    as(by).call<{ readonly id: string; readonly version: number }>('POST', '/v1/list-views', {
      list: 'account',
      name: 'Busy',
      shared: false,
      state: STATE,
      ...more,
    })
  const saved = async (by: string, more: Parameters<typeof save>[1] = {}) => {
    const answer = await save(by, more)
    expect(answer.code).toBe(0)
    return answer.data.id
  }
  const list = async (by: string, of: ViewedList = 'account') =>
    (await as(by).call<Listed>('GET', `/v1/list-views?list=${of}`)).data
  const namesOf = async (by: string, of: ViewedList = 'account') => (await list(by, of)).views.map(({ name }) => name)
  const change = (by: string, id: string, version: number, more: Partial<Fields> = {}) =>
    as(by).call<{ readonly version: number }>('PUT', `/v1/list-views/${id}`, {
      name: 'Busy',
      shared: false,
      state: STATE,
      version,
      ...more,
    })
  const remove = (by: string, id: string) => as(by).call('DELETE', `/v1/list-views/${id}`)
  const restore = (by: string, id: string) => as(by).call('POST', `/v1/list-views/${id}/restore`, {})
  const prefer = (by: string, view_id: string | null, of: ViewedList = 'account') =>
    as(by).call('POST', '/v1/list-views/default', { list: of, view_id })

  // covers FP-102
  it('saved views of lists of campaigns are saved, listed by name, changed, removed and restored by the user who saved them', async () => {
    const id = await saved('USER_OWNER', { name: ' Busy ' })
    await saved('USER_OWNER', { name: 'archive', state: { ...STATE, statuses: [5] } })
    const { views } = await list('USER_OWNER')
    expect(views.map(({ name }) => name)).toEqual(['archive', 'Busy'])
    expect(views[1]).toEqual({
      id,
      name: 'Busy',
      shared: false,
      state: STATE,
      by: expect.stringMatching(/\S/),
      own: true,
      editable: true,
      version: 1,
    })
    expect((await change('USER_OWNER', id, 1, { name: 'Quiet', state: { ...STATE, q: '' } })).data.version).toBe(2)
    expect((await list('USER_OWNER')).views.find((view) => view.id === id)).toMatchObject({ name: 'Quiet', state: { q: '' } })
    expect((await change('USER_OWNER', id, 1)).code).toBe(140)
    expect((await remove('USER_OWNER', id)).code).toBe(0)
    expect(await namesOf('USER_OWNER')).toEqual(['archive'])
    expect([(await remove('USER_OWNER', id)).code, (await change('USER_OWNER', id, 2)).code]).toEqual([131, 131])
    expect((await restore('USER_OWNER', id)).code).toBe(0)
    expect(await namesOf('USER_OWNER')).toEqual(['archive', 'Quiet'])
    expect((await restore('USER_OWNER', id)).code).toBe(131)
  })

  // covers FP-102
  it('saved views belong to one user: colleagues see what is shared, and other accounts and white-labels nothing', async () => {
    const own = await saved('USER_OWNER', { name: 'Own' })
    const shared = await saved('USER_OWNER', { name: 'Shared', shared: true })
    expect((await list('USER_VIEWER')).views).toMatchObject([{ id: shared, own: false, editable: false, shared: true }])
    for (const other of ['A2 USER_OWNER', 'B1 USER_OWNER', 'B WL_OWNER', 'WL_OWNER']) {
      expect(await namesOf(other), other).toEqual([])
      for (const id of [own, shared]) {
        const answers = [await change(other, id, 1), await remove(other, id), await restore(other, id), await prefer(other, id)]
        expect(answers.map(({ code, status }) => [code, status])).toEqual(answers.map(() => [131, 404]))
      }
    }
    for (const call of [change('USER_VIEWER', own, 1), remove('USER_VIEWER', own)]) expect((await call).code).toBe(131)
  })

  // covers FP-102
  it('saved views of lists of campaigns are shared by users who may edit campaigns: a viewer has own ones alone', async () => {
    await saved('USER_VIEWER', { name: 'Mine' })
    expect((await list('USER_VIEWER')).may_share).toBe(false)
    expect((await save('USER_VIEWER', { shared: true })).code).toBe(3)
    const [mine] = (await list('USER_VIEWER')).views
    expect((await change('USER_VIEWER', mine?.id ?? '', 1, { shared: true })).code).toBe(3)
    const shared = await saved('USER_OWNER', { shared: true })
    expect((await list('USER_OWNER')).may_share).toBe(true)
    for (const call of [change('USER_VIEWER', shared, 1, { shared: true }), remove('USER_VIEWER', shared)])
      expect((await call).code).toBe(3)
    expect((await prefer('USER_VIEWER', shared)).code).toBe(0)
    expect((await list('USER_VIEWER')).default_id).toBe(shared)
  })

  // covers FP-102
  it('saved views of the list of all accounts belong to the staff of one white-label', async () => {
    const { A1, B1 } = world.targets
    const state = { ...STATE, accounts: [A1.spaceId] }
    const id = await saved('WL_OWNER', { list: 'all', name: 'Nile', shared: true, state })
    expect((await list('WL_MODERATOR', 'all')).views).toMatchObject([{ id, state, own: false, editable: false }])
    expect((await list('AUDITOR', 'all')).may_share).toBe(false)
    expect((await save('WL_MODERATOR', { list: 'all', shared: true })).code).toBe(3)
    expect((await save('WL_MODERATOR', { list: 'all', name: 'Mine' })).code).toBe(0)
    for (const other of ['B WL_OWNER', 'B WL_MODERATOR']) {
      expect(await namesOf(other, 'all')).toEqual([])
      expect((await prefer(other, id, 'all')).code).toBe(131)
    }
    const out = await save('WL_OWNER', { list: 'all', state: { ...STATE, accounts: [B1.spaceId] } })
    expect(out.code).toBe(1420)
    for (const advertiser of ['USER_OWNER', 'USER_VIEWER']) {
      expect((await as(advertiser).call('GET', '/v1/list-views?list=all')).code).toBe(3)
      expect((await save(advertiser, { list: 'all' })).code).toBe(3)
      expect((await remove(advertiser, id)).code).toBe(131)
    }
    expect((await as('ACCOUNTANT').call('GET', '/v1/list-views')).code).toBe(3)
  })

  // covers FP-102
  it('saved views of lists of campaigns that are shared can be changed by other editors, but only their author takes them back', async () => {
    const id = await saved('USER_OWNER', { shared: true })
    await query(`update app.list_views set person_id = (select id from identity.people where email = 'clerk@nile.example')`)
    expect((await list('USER_OWNER')).views).toMatchObject([{ id, own: false, editable: true }])
    expect((await change('USER_OWNER', id, 1, { shared: false })).code).toBe(3)
    expect((await change('USER_OWNER', id, 1, { shared: true, name: 'Ours' })).code).toBe(0)
    // The view of a user who may not sign in any more stays.
    await query(`update identity.people set deactivated = true where email = 'clerk@nile.example'`)
    expect(await namesOf('USER_VIEWER')).toEqual(['Ours'])
    await query(`update identity.people set deactivated = false where email = 'clerk@nile.example'`)
  })

  it('saved views of lists of campaigns hold no status and no column that is not one', async () => {
    expect((await save('USER_OWNER', { state: { ...STATE, statuses: [4] } })).code).toBe(133)
    expect((await save('USER_OWNER', { state: { ...STATE, hidden: ['x'.repeat(41)] } })).code).toBe(2)
    expect((await save('USER_OWNER', { name: ' ' })).code).toBe(2)
    expect(await namesOf('USER_OWNER')).toEqual([])
  })
})
