import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  eventually,
  publishable,
  startTestProduct,
  type Campaignish,
  type Session,
  type TestProduct,
} from '../support/product.ts'
import { testClock } from '../support/test-clock.ts'

let product: TestProduct
let ada: Session
let bola: Session
let owner: Session
let moderator: Session
let auditor: Session
beforeAll(async () => {
  product = await startTestProduct()
  ;[ada, bola, owner, moderator, auditor] = (await Promise.all(
    ['ada@nile', 'bola@lagos', 'owner@dsp', 'moderator@dsp', 'auditor@dsp'].map((name) => product.as(`${name}.example`)),
  )) as [Session, Session, Session, Session, Session]
})
afterAll(() => product.stop())

type Row = { readonly id: string; readonly name: string; readonly status_key: number; readonly [key: string]: unknown }
type Page<T> = {
  readonly current_page: number
  readonly page_size: number
  readonly total_size: number
  readonly data: readonly T[]
}
const adminList = async (body: Record<string, unknown>) =>
  (await owner.call<Page<Row>>('POST', '/v1/campaign/admin/list', body)).data
const list = async (body: Record<string, unknown>, session = ada) =>
  (await session.call<Page<Row>>('POST', '/v1/campaign/list/v2', body)).data
const draft = async (over: Record<string, unknown> = {}) => {
  const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, over))
  // The creating user waits until it is readable, after which other users can read it too.
  await ada.call('GET', `/v1/campaign/${data.id}`)
  return data
}
const ran = async () => {
  const { id } = await draft()
  const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', { id })
  await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
    campaign_id: id,
    moderation_start_at: data.moderation_start_at,
  })
  await eventually(
    () => ada.call('GET', `/v1/campaign/${id}`),
    (answer) => answer.data.status_key === 3,
  )
  return id
}

describe('the HTTP API', () => {
  // covers CAM-API-01..03 CAM-ERR-02 CAM-ERR-04
  it('requires a token in every call and returns an envelope in every answer', async () => {
    const { id } = await draft()
    const good = await fetch(`${product.base}/v1/campaign/${id}`, { headers: { authorization: `Bearer ${ada.token}` } })
    expect(await good.json()).toMatchObject({ type: { code: 0, key: 'OK', message: '' }, data: { id } })
    for (const headers of [{}, { authorization: 'Bearer forged' }]) {
      const bad = await fetch(`${product.base}/v1/campaign/${id}`, { headers })
      expect([bad.status, await bad.json()]).toMatchObject([
        401,
        { type: { code: 401, key: 'unauthorized', message: 'Unauthorized' } },
      ])
    }
  })
})

describe('the campaign list', () => {
  // covers CAM-API-04 CAM-API-12 CAM-API-15..18 CAM-API-20..22 FP-102
  it('takes a page, a part of a name, a status, accounts and an order', async () => {
    const whole = await list({ pageSize: 150 })
    const [first, second] = await Promise.all([list({ page: 0, pageSize: 5 }), list({ page: 1, pageSize: 5 })])
    expect([first.current_page, first.page_size, first.total_size]).toEqual([0, 5, whole.total_size])
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(whole.data.slice(0, 10).map(({ id }) => id))
    expect((await list({})).page_size).toBe(10)
    const { id, name } = await draft({ name: '100 % Весна_1' })
    expect((await list({ name: ' ВЕСНА_1 ' })).data.map((row) => row.name)).toEqual([name])
    for (const status_filter of [0, 'draft', [0, 41]])
      expect((await list({ status_filter, name })).data.map((row) => row.id)).toEqual([id])
    expect((await list({ status_filter: 'paused', name })).data).toEqual([])
    const namesOf = async (order_asc: boolean) =>
      (await list({ order_field: 'name', order_asc, pageSize: 150, sort_by_field: 'status' })).data.map((row) => row.name)
    expect(await namesOf(true)).toEqual((await namesOf(false)).toReversed())
    expect((await ada.call('POST', '/v1/campaign/list/v2', { order_field: 'colour' })).code).toBe(2)
    const [{ space_id } = { space_id: '' }] = (await adminList({ name })).data
    expect((await adminList({ name, space_ids: [space_id] })).data.map((row) => row.id)).toEqual([id])
    expect((await owner.call('POST', '/v1/campaign/admin/list', { space_ids: [space_id, 'no-such-account'] })).code).toBe(1420)
  })

  // covers CAM-API-19 ERR-29
  it('returns one space, and refuses the space of another account with 1420', async () => {
    const space = String((await list({})).data[0]?.['space_id'])
    expect((await list({ space_id: space }, owner)).data.every((row) => row['space_id'] === space)).toBe(true)
    expect((await bola.call('POST', '/v1/campaign/list/v2', { space_id: space })).code).toBe(1420)
  })

  // covers CAM-API-23 CAM-API-24
  it('contains the nine metrics', async () => {
    const included_metrics = ['spent', 'impressions', 'conversions', 'clicks', 'ctr', 'cpm', 'cpc', 'cvr', 'cpa']
    const [row] = (await list({ included_metrics })).data
    for (const metric of included_metrics) expect(row).toHaveProperty(metric, 0)
    expect(row).toMatchObject({ report_data: { cpa: 0, cvr: 0 }, budget_spent: 0, daily_budget_spent: 0 })
  })

  // covers CAM-ERR-55
  it('refuses an unreadable date with 11 and an inverted range with 1303', async () => {
    const code = async (body: Record<string, unknown>) => (await ada.call('POST', '/v1/campaign/list/v2', body)).code
    expect(await code({ from_date: 'abc' })).toBe(11)
    expect(await code({ from_date: '2026-05-02', to_date: '2026-05-01' })).toBe(1303)
    expect(await code({ from_date: 1_767_225_600_000, to_date: '2026-05-01T00:00:00Z' })).toBe(0)
  })

  // covers CAM-API-25
  it('the campaign list of all accounts is restricted to staff', async () => {
    const answer = await owner.call<Page<Row>>('POST', '/v1/campaign/admin/list', { pageSize: 150 })
    expect(new Set(answer.data.data.map((row) => row['space_id'])).size).toBeGreaterThan(1)
    expect((await ada.call('POST', '/v1/campaign/admin/list', {})).code).toBe(3)
  })

  // covers CAM-API-43 ERR-22
  it('the campaign list has a count per space', async () => {
    const page = await list({})
    expect((await ada.call<number>('GET', `/v1/campaign/count/${String(page.data[0]?.['space_id'])}`)).data).toBe(page.total_size)
    expect((await ada.call('GET', '/v1/campaign/count/nowhere')).code).toBe(110)
  })
})

describe('a switch of the status', () => {
  // covers CAM-API-09..11 CAM-RUN-25 CAM-API-08 CAM-RUN-24
  it('takes a bare id as text, and the server decides the resulting status', async () => {
    const id = await ran()
    expect((await ada.call('POST', '/v1/campaign/pause', id)).data.status_key).toBe(41)
    expect((await ada.call('POST', '/v1/campaign/run', ` "${id}" `)).data.status_key).toBe(3)
    expect((await ada.call('POST', '/v1/campaign/archive/toggle', id)).data.status_key).toBe(5)
    expect((await ada.call('POST', '/v1/campaign/archive/toggle', id)).data.status_key).toBe(41)
    const { id: other } = await draft()
    expect((await ada.call('POST', '/v1/campaign/pause', other)).code).toBe(134)
    expect((await ada.call('POST', '/v1/campaign/run', other)).code).toBe(137)
    const published = await ada.call('POST', '/v1/campaign/saveAndPublish', { id: other, budget: 77, status_key: 3 })
    expect(published.data).toMatchObject({ status_key: 1, budget: 77 })
    expect((await ada.call('POST', '/v1/campaign/run', other)).code).toBe(134)
  })
})

describe('reports', () => {
  type Report = {
    readonly points: readonly { readonly name: number; readonly values: Record<string, number> }[]
    readonly totals: Record<string, number>
  }
  const report = (body: Record<string, unknown>) => ada.call<Report>('POST', '/v1/campaign/report', body)
  const may = { from_date: '2026-05-01', to_date: '2026-05-03' }

  // covers CAM-API-33 CAM-REP-02..04 CAM-REP-07 CAM-REP-10
  it('reports have a point for every day or hour of the period, with the requested metrics', async () => {
    const { id } = await draft()
    const days = await report({ id, ...may, granularity_type_key: 2 })
    expect(days.data.points.map(({ name }) => new Date(name).toISOString().slice(0, 10))).toEqual([
      '2026-05-01',
      '2026-05-02',
      '2026-05-03',
    ])
    expect((await report({ id, ...may, granularity_type_key: 1 })).data.points).toHaveLength(72)
    const some = await report({ id, ...may, included_metrics: ['clicks', 'ctr'] })
    expect([some.data.points[0]?.values, some.data.totals]).toEqual([
      { clicks: 0, ctr: 0 },
      { clicks: 0, ctr: 0 },
    ])
    expect((await bola.call('POST', '/v1/campaign/report', { id, ...may })).code).toBe(130)
  })

  // covers CAM-REP-01 CAM-API-27 CAM-API-34 CAM-GEN-07
  it('reports list the days since the first run of a campaign, newest first, in pages for staff', async () => {
    const id = await ran()
    const keys = [
      'clicks',
      'conversions',
      'cpa',
      'cpc',
      'cpm',
      'ctr',
      'cvr',
      'date',
      'impressions',
      'spent',
      'today_spent',
      'unconfirmed_conversions',
    ]
    const rows = await ada.call<readonly Record<string, unknown>[]>('GET', `/v1/campaign/report/list/${id}`)
    expect(Object.keys(rows.data[0] ?? {}).sort()).toEqual(keys)
    // The report by points has the same metrics, but for what was spent today.
    const points = await report({ id, ...may })
    for (const key of keys.filter((one) => !['date', 'today_spent'].includes(one)))
      expect(points.data.points[0]?.values).toHaveProperty(key)
    const page = await owner.call<Page<{ readonly date: string }>>('POST', `/v1/campaign/admin/report/${id}`, {
      page: 1,
      pageSize: 14,
    })
    expect(page.data).toMatchObject({ current_page: 1, page_size: 14, total_size: rows.data.length })
    expect(page.data.data[0]?.date).toBe(testClock.day())
    expect((await ada.call('POST', `/v1/campaign/admin/report/${id}`, {})).code).toBe(3)
    const never = (await draft()).id
    expect((await ada.call<unknown[]>('GET', `/v1/campaign/report/list/${never}`)).data).toEqual([])
    const demo = (await list({ status_filter: 3 })).data.map((row) => row.id)
    const old = await Promise.all(
      demo.map((one) => owner.call<Page<{ readonly date: string }>>('POST', `/v1/campaign/admin/report/${one}`, {})),
    )
    const long = old.find(({ data }) => data.total_size > 14)
    expect(long?.data.data).toHaveLength(14)
    expect(long?.data.data.map(({ date }) => date)).toEqual(
      long?.data.data
        .map(({ date }) => date)
        .toSorted()
        .toReversed(),
    )
  })

  const csv = async (path: string, body: Record<string, unknown>, session = ada, position = '0') => {
    const response = await fetch(`${product.base}/v1/campaign/report/download/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json', 'x-position': position },
      body: JSON.stringify(body),
    })
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }

  // covers CAM-API-40 ERR-23
  it('reports of an account are CSV with a header row, in which no cell can be read as a formula', async () => {
    await draft({ name: '=1+1;"x"' })
    const space_id = String((await list({})).data[0]?.['space_id'])
    const file = await csv('account-report', { space_id, from_date: '2026-01-01', to_date: '2026-12-31', status_filter: 0 })
    expect([file.status, file.type]).toEqual([200, 'text/csv; charset=utf-8'])
    const [header, ...rows] = file.text.trim().split('\r\n')
    expect(header).toBe(
      'Id,Name,Account,Status,Start date,End date,Goal,Currency,Budget,Budget type,Impressions,CPM,Clicks,CPC,CTR,Conversions,CPA,CVR,Spent,Unconfirmed conversions',
    )
    expect(rows.every((row) => row.includes(',Draft,'))).toBe(true)
    expect(rows.some((row) => row.includes(`,"'=1+1;""x""",`))).toBe(true)
    const { data: house } = await owner.call<{ space_id: string }>('GET', '/v1/user/me')
    const none = await csv('account-report', { space_id: house.space_id }, owner)
    expect([none.status, JSON.parse(none.text)]).toMatchObject([404, { type: { code: 111, message: 'Space has no campaign' } }])
  })

  // covers CAM-API-41 CAM-API-42
  it('reports of a campaign are CSV', async () => {
    const { id, position } = await draft()
    const file = await csv('campaign-report', { id, ...may, included_metrics: ['spent', 'clicks'] }, ada, position)
    expect([file.type, file.text.split('\r\n').slice(0, 2)]).toEqual([
      'text/csv; charset=utf-8',
      ['Date,Spent,Clicks', '2026-05-01,0,0'],
    ])
    const sources = await csv('traffic-source', { id, ...may, included_metrics: ['spent'] }, ada, position)
    expect([sources.type, sources.text]).toEqual(['text/csv; charset=utf-8', 'Exchange,Publisher,App or site,Spent\r\n'])
  })
})

describe('the Administration tab', () => {
  type Details = {
    readonly comments: readonly { readonly kind: string; readonly text: string; readonly author: string }[]
    readonly [key: string]: unknown
  }
  const details = (session: Session, id: string) => session.call<Details>('GET', `/v1/campaign/admin/${id}`)

  // covers CAM-API-28 CAM-API-29 CAM-GEN-10 CAM-ADM-21
  it('saves owner fields only, and a comment that only staff can read', async () => {
    const { id, name } = await draft()
    const body = { margin: 10, t: 2, traffic_targeting: '[]', name: 'Mine now', budget: 1, comment: ' Asked for proof ' }
    const saved = await owner.call('POST', `/v1/campaign/admin/${id}`, body)
    expect(saved.data).toMatchObject({ id, status_key: 0, revision: 2, position: expect.any(String) })
    expect((await details(owner, id)).data).toMatchObject({
      id,
      margin: 10,
      t: 2,
      moderator_comment: null,
      comments: [{ kind: 'comment', text: 'Asked for proof', author: 'Olivia Mbeki' }],
    })
    expect((await ada.call('GET', `/v1/campaign/${id}`)).data).toMatchObject({ name, budget: 50 })
    for (const session of [moderator, auditor]) expect((await details(session, id)).data).toMatchObject({ margin: 10 })
    expect([(await details(ada, id)).code, (await ada.call('POST', `/v1/campaign/admin/${id}`, { margin: 1 })).code]).toEqual([
      3, 3,
    ])
    expect((await moderator.call('POST', `/v1/campaign/admin/${id}`, { margin: 1 })).code).toBe(3)
    expect((await owner.call('POST', `/v1/campaign/admin/${id}`, { margin: 99 })).data.errors[0]?.path).toBe('margin')
  })

  // covers FP-28
  it('keeps the comment in the log with its author for staff, and never shows it to the advertiser', async () => {
    const { id } = await draft()
    await owner.call('POST', `/v1/campaign/admin/${id}`, { comment: 'A word among us' })
    type Entry = { readonly events: string[]; readonly state_difference: { path: string; to: unknown }[] }
    const log = await owner.call<Page<Entry>>('GET', `/v1/campaign/revision/snapshot/${id}?page-num=1`)
    expect(log.data.data[0]).toMatchObject({
      events: ['CampaignCommented'],
      state_difference: [{ path: 'admin_comment', to: 'A word among us' }],
    })
    expect(JSON.stringify((await ada.call('GET', `/v1/campaign/${id}`)).data)).not.toContain('A word among us')
    expect((await owner.call<{ valid: boolean }>('GET', `/v1/campaign/${id}/verify`)).data.valid).toBe(true)
  })

  it('shows rejections among the comments, newest first', async () => {
    const { id } = await draft()
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', { id })
    const verdict = { campaign_id: id, comment: 'Too loud', moderation_start_at: data.moderation_start_at }
    await moderator.call('POST', '/v1/whitelabel/admin/campaign/reject', verdict)
    await owner.call('POST', `/v1/campaign/admin/${id}`, { comment: 'Agreed' })
    const answer = await details(owner, id)
    expect(answer.data).toMatchObject({ moderator_comment: 'Too loud' })
    expect(answer.data.comments.map(({ kind, text }) => [kind, text])).toEqual([
      ['comment', 'Agreed'],
      ['rejection', 'Too loud'],
    ])
  })

  it('refuses a stale save of owner fields', async () => {
    const { id } = await draft()
    await ada.call('PUT', '/v1/campaign', { id, budget: 60 })
    expect((await owner.call('POST', `/v1/campaign/admin/${id}`, { margin: 5, revision: 1 })).code).toBe(140)
  })
})

describe('the change log', () => {
  // covers CAM-API-30 CAM-API-32 FP-35
  it('gets an entry for every change, newest first, with one-based pages', async () => {
    const { id, position } = await draft()
    const count = async (since: string) =>
      (await owner.call<number>('GET', `/v1/campaign/revision/count/${id}`, undefined, { 'x-position': since })).data
    expect(await count(position)).toBe(1)
    const { data } = await ada.call<Campaignish>('PUT', '/v1/campaign', { id, budget: 61 })
    const page = await owner.call<Page<{ readonly revision: number }>>(
      'GET',
      `/v1/campaign/revision/snapshot/${id}?page-num=1&page-size=25`,
      undefined,
      { 'x-position': data.position },
    )
    expect([page.data.current_page, page.data.data.map(({ revision }) => revision), await count(data.position)]).toEqual([
      1,
      [2, 1],
      2,
    ])
    const second = await owner.call<Page<{ readonly revision: number }>>(
      'GET',
      `/v1/campaign/revision/snapshot/${id}?page-num=2&page-size=1`,
    )
    expect(second.data.data.map(({ revision }) => revision)).toEqual([1])
  })
})
