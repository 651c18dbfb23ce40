import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ListRow } from '#contract/campaign-list'
import type { AccountLabel, Label } from '#contract/labels'
import { MOST_LABELLED } from '#domain/campaign/labels'
import { newId } from '#platform/ids'
import { eventually, publishable } from '../support/product.ts'
import { startTwoWhiteLabels, type World } from '../support/two-white-labels.ts'

type Change = { readonly campaign_id: string; readonly add?: readonly string[]; readonly remove?: readonly string[] }
type Results = {
  readonly results: readonly {
    readonly campaign_id: string
    readonly code: number
    readonly message: string
    readonly added: readonly string[]
    readonly removed: readonly string[]
  }[]
}

describe('labels of campaigns', () => {
  let world: World
  beforeAll(async () => {
    world = await startTwoWhiteLabels()
  })
  afterAll(() => world.stop())
  beforeEach(() => query('delete from app.labels'))

  const query = async <T extends object>(text: string, values: readonly unknown[] = []) =>
    (await world.product.database.pool.query<T>(text, [...values])).rows
  const as = (name: string) => {
    const session = world.sessions[name]
    if (session === undefined) throw new Error(`there is no ${name}`)
    return session
  }
  const add = (by: string, name: string, more: object = {}) =>
    as(by).call<Label>('POST', '/v1/labels', { name, color: 'teal', ...more })
  const added = async (by: string, name: string, more: object = {}) => {
    const answer = await add(by, name, more)
    expect(answer.code).toBe(0)
    return answer.data.id
  }
  const list = async (by: string, space?: string) =>
    (
      await as(by).call<{ readonly labels: readonly AccountLabel[]; readonly may_write: boolean }>(
        'GET',
        `/v1/labels${space === undefined ? '' : `?space_id=${space}`}`,
      )
    ).data
  const apply = (by: string, changes: readonly Change[]) => as(by).call<Results>('POST', '/v1/labels/campaigns', { changes })
  const codes = async (by: string, changes: readonly Change[]) => (await apply(by, changes)).data.results.map(({ code }) => code)
  const rows = async (by: string, body: object = {}) =>
    (await as(by).call<{ readonly data: readonly ListRow[] }>('POST', '/v1/campaign/list/v2', { pageSize: 150, ...body })).data
      .data
  const namesOn = async (by: string, id: string) => (await rows(by)).find((row) => row.id === id)?.labels.map(({ name }) => name)
  const own = () => world.targets.A1.campaignId

  // covers FP-107
  it('labels of campaigns are created, renamed, recoloured and deleted, each name once in any case', async () => {
    const id = await added('USER_OWNER', ' Autumn ')
    expect((await list('USER_OWNER')).labels).toEqual([{ id, name: 'Autumn', color: 'teal', campaigns: 0 }])
    const taken = { code: 2, data: { errors: [{ path: 'name', key: 'labelTaken' }] } }
    expect(await add('USER_OWNER', 'AUTUMN')).toMatchObject(taken)
    const other = await added('USER_OWNER', 'Sale', { color: 'red' })
    const change = (of: string, patch: object) => as('USER_OWNER').call('PUT', `/v1/labels/${of}`, patch)
    expect(await change(other, { name: 'autumn' })).toMatchObject(taken)
    expect(await change(id, { name: 'AUTUMN' })).toMatchObject({ code: 0, data: { name: 'AUTUMN', color: 'teal' } })
    expect(await change(id, { color: 'pink' })).toMatchObject({ code: 0, data: { name: 'AUTUMN', color: 'pink' } })
    await apply('USER_OWNER', [{ campaign_id: own(), add: [id, other] }])
    expect((await list('USER_OWNER')).labels.map(({ campaigns }) => campaigns)).toEqual([1, 1])
    expect(await as('USER_OWNER').call('DELETE', `/v1/labels/${id}`)).toMatchObject({ code: 0, data: { id, campaigns: 1 } })
    expect(await namesOn('USER_OWNER', own())).toEqual(['Sale'])
    expect((await as('USER_OWNER').call('DELETE', `/v1/labels/${id}`)).code).toBe(131)
    expect((await change(id, { color: 'red' })).code).toBe(131)
    for (const wrong of [{ name: ' ' }, { name: 'x'.repeat(41) }, { color: 'mauve' }])
      expect((await add('USER_OWNER', 'New', wrong)).code).toBe(2)
    const many = Array.from({ length: MOST_LABELLED + 1 }, () => ({ campaign_id: own(), remove: [other] }))
    expect((await apply('USER_OWNER', many)).code).toBe(2)
    expect((await apply('USER_OWNER', many.slice(1))).code).toBe(0)
  })

  // covers FP-107
  it('labels are added to campaigns and removed from them, each campaign told apart, and filter the list and its file', async () => {
    const [sale, autumn] = [await added('USER_OWNER', 'Sale'), await added('USER_OWNER', 'Autumn')]
    const { data } = await apply('USER_OWNER', [
      { campaign_id: own(), add: [sale, autumn] },
      { campaign_id: newId(), add: [sale] },
      { campaign_id: own(), add: [newId()] },
      { campaign_id: own(), add: [sale], remove: [autumn] },
    ])
    expect(data.results).toMatchObject([
      { campaign_id: own(), code: 0, added: [sale, autumn], removed: [] },
      { code: 130, added: [], removed: [] },
      { campaign_id: own(), code: 131, added: [], removed: [] },
      { campaign_id: own(), code: 0, added: [], removed: [autumn] },
    ])
    expect(await namesOn('USER_OWNER', own())).toEqual(['Sale'])
    await apply('USER_OWNER', [{ campaign_id: own(), add: [autumn] }])
    expect(await namesOn('USER_OWNER', own())).toEqual(['Autumn', 'Sale'])
    const shown = await as('USER_VIEWER').call<readonly Label[]>('GET', `/v1/labels/campaigns/${own()}`)
    expect(shown.data).toMatchObject([
      { name: 'Autumn', by: 'Ada Hassan', labelled_at: expect.stringMatching(/Z$/) },
      { name: 'Sale', by: 'Ada Hassan' },
    ])
    const labelled = async (label_ids: readonly string[]) => (await rows('USER_OWNER', { label_ids })).map(({ id }) => id)
    expect(await labelled([sale, newId()])).toEqual([own()])
    expect(await labelled([newId()])).toEqual([])
    expect((await labelled([])).length).toBeGreaterThan(1)
    const { base } = world.product
    const file = async (body: object) => {
      const headers = { authorization: `Bearer ${as('USER_OWNER').token}`, 'content-type': 'application/json' }
      const answer = await fetch(`${base}/v1/campaign/report/download/account-report`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return (await answer.text()).trim().split(/\r?\n/)
    }
    const [header = '', ...lines] = await file({ label_ids: [sale], include_labels: true })
    expect(header).toContain(',Budget type,Labels,')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('"Autumn, Sale"')
    const [plain = '', ...all] = await file({})
    expect(plain).not.toContain('Labels')
    expect(all.length).toBeGreaterThan(1)
  })

  // covers FP-107
  it('labels of campaigns belong to one account: other accounts and white-labels neither see, use nor change them', async () => {
    const { A1, A2, B1 } = world.targets
    const label = await added('USER_OWNER', 'Sale')
    expect((await list('USER_VIEWER')).labels).toHaveLength(1)
    expect((await list('WL_MODERATOR', A1.spaceId)).labels).toHaveLength(1)
    for (const [other, target] of [
      ['A2 USER_OWNER', A2],
      ['B1 USER_OWNER', B1],
    ] as const) {
      expect((await list(other)).labels).toEqual([])
      expect((await as(other).call('GET', `/v1/labels?space_id=${A1.spaceId}`)).code).toBe(1420)
      expect((await add(other, 'Theirs', { space_id: A1.spaceId })).code).toBe(1420)
      expect((await as(other).call('PUT', `/v1/labels/${label}`, { color: 'red' })).code).toBe(131)
      expect((await as(other).call('DELETE', `/v1/labels/${label}`)).code).toBe(131)
      expect(await codes(other, [{ campaign_id: A1.campaignId, add: [label] }])).toEqual([130])
      expect(await codes(other, [{ campaign_id: target.campaignId, add: [label] }])).toEqual([131])
      expect((await as(other).call('GET', `/v1/labels/campaigns/${A1.campaignId}`)).code).toBe(130)
      // The same name is free in each account.
      await added(other, 'Sale')
    }
    // Staff label campaigns of several accounts in one call, each with labels of its own account.
    const theirs = await added('WL_OWNER', 'Staff', { space_id: A2.spaceId })
    const both = [A1, A2].map(({ campaignId }) => ({ campaign_id: campaignId, add: [theirs] }))
    expect(await codes('WL_OWNER', both)).toEqual([131, 0])
    expect(await codes('B WL_OWNER', both)).toEqual([130, 130])
  })

  // covers FP-107
  it('labels of campaigns are changed by those who may edit campaigns: viewers, moderators and auditors read them', async () => {
    const { spaceId } = world.targets.A1
    const label = await added('USER_OWNER', 'Sale')
    for (const reader of ['USER_VIEWER', 'WL_MODERATOR', 'AUDITOR']) {
      expect((await list(reader, spaceId)).may_write, reader).toBe(false)
      expect((await add(reader, 'Mine', { space_id: spaceId })).code, reader).toBe(3)
      expect((await as(reader).call('PUT', `/v1/labels/${label}`, { color: 'red' })).code, reader).toBe(3)
      expect((await as(reader).call('DELETE', `/v1/labels/${label}`)).code, reader).toBe(3)
      expect((await apply(reader, [{ campaign_id: own(), add: [label] }])).code, reader).toBe(3)
    }
    for (const other of ['ACCOUNTANT', 'WHITELABEL_ACCOUNTANT'])
      expect((await as(other).call('GET', `/v1/labels?space_id=${spaceId}`)).code, other).toBe(3)
    expect((await list('WL_OWNER', spaceId)).may_write).toBe(true)
    expect((await list('SYSTEM_ADMIN', spaceId)).may_write).toBe(true)
  })

  it('labels of campaigns answer a repeat with the same key as the first time, and change nothing again', async () => {
    const keyed = { 'idempotency-key': newId() }
    const create = () => as('USER_OWNER').call<Label>('POST', '/v1/labels', { name: 'Once', color: 'blue' }, keyed)
    const first = await create()
    expect(await create()).toMatchObject({ code: 0, data: { id: first.data.id } })
    const key = { 'idempotency-key': newId() }
    const changes = [{ campaign_id: own(), add: [first.data.id] }]
    const label = () => as('USER_OWNER').call<Results>('POST', '/v1/labels/campaigns', { changes }, key)
    const { results } = (await label()).data
    expect(results[0]?.added).toEqual([first.data.id])
    await apply('USER_OWNER', [{ campaign_id: own(), remove: [first.data.id] }])
    expect((await label()).data.results).toEqual(results)
    expect(await namesOn('USER_OWNER', own())).toEqual([])
  })

  // covers FP-107
  it('labels go with a replicate of the same account, and not into another one; an archived campaign keeps its labels', async () => {
    const label = await added('USER_OWNER', 'Sale')
    await apply('USER_OWNER', [{ campaign_id: own(), add: [label] }])
    const copy = (by: string, space_id: string) =>
      as(by).call<{ readonly id: string }>('POST', '/v1/campaign', { replicated_from: own(), space_id, name: `Copy ${newId()}` })
    const { A1, A2 } = world.targets
    const near = await copy('USER_OWNER', A1.spaceId)
    const far = await copy('WL_OWNER', A2.spaceId)
    expect([near.code, far.code]).toEqual([0, 0])
    const labelsOf = async (by: string, id: string) =>
      (await as(by).call<readonly Label[]>('GET', `/v1/labels/campaigns/${id}`)).data.map(({ name }) => name)
    expect(await labelsOf('USER_OWNER', near.data.id)).toEqual(['Sale'])
    expect(await labelsOf('A2 USER_OWNER', far.data.id)).toEqual([])
    expect((await as('USER_OWNER').call('POST', '/v1/campaign/archive/toggle', near.data.id)).code).toBe(0)
    const shown = await eventually(
      async () => (await rows('USER_OWNER', { label_ids: [label] })).find(({ id }) => id === near.data.id),
      (row) => row?.status_key === 5,
    )
    expect(shown?.labels.map(({ name }) => name)).toEqual(['Sale'])
  })

  // covers FP-107
  it('labels of campaigns can be given to a campaign that lists do not show yet', async () => {
    const label = await added('USER_OWNER', 'New')
    const body = await publishable(world.product.base, as('USER_OWNER'))
    const made = await as('USER_OWNER').call<{ readonly id: string }>('POST', '/v1/campaign', body)
    expect(made.code).toBe(0)
    expect(await codes('USER_OWNER', [{ campaign_id: made.data.id, add: [label] }])).toEqual([0])
  })
})
