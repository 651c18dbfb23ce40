import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import readXlsxFile from 'read-excel-file/node'
import { TABLE_GROUPINGS } from '#domain/reports/groupings'
import { newId } from '#platform/ids'
import { DELIVERED, deliveryIn, hour, type Row } from '../support/delivery.ts'
import { startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { testClock } from '../support/test-clock.ts'

type Values = Readonly<Record<string, number>>
type Report = {
  readonly points: readonly { readonly name: number; readonly values: Values }[]
  readonly totals: Values
  readonly rows: readonly { readonly key: string; readonly label: string; readonly values: Values }[]
  readonly total_size: number
  readonly currency: string | null
  readonly as_of: string
  readonly complete_through: string
}

/** The hour of what was delivered. */
let delivered = ''
const today = () => delivered.slice(0, 10)
const ofToday = () => ({ from_date: today(), to_date: today() })

/** Facts of one hour: three rows whose figures add up to round numbers. */
const rowsOf = (campaign_id: string): readonly Row[] => [
  {
    hour: hour(),
    campaign_id,
    impressions: 6000,
    clicks: 60,
    conversions: 6,
    bids: 12_000,
    bounces: 15,
    engagements: 120,
    completed_views: 30,
    spent: 3,
    exchange: 'google',
    publisher: 'news',
    app_or_site: 'news.example',
    device_type_key: 3,
    os: 'iOS',
    country: 'NG',
    region: 'Lagos',
    city: 'Ikeja',
    size: '300x250',
  },
  {
    hour: hour(),
    campaign_id,
    impressions: 3000,
    clicks: 30,
    conversions: 2,
    bids: 6000,
    spent: 2,
    exchange: 'verve',
    publisher: 'games',
    app_or_site: 'com.example.game',
    device_type_key: 5,
    os: 'Android',
    country: 'NG',
    region: 'Oyo',
    city: 'Ibadan',
    size: '728x90',
  },
  {
    hour: hour(),
    campaign_id,
    impressions: 1000,
    clicks: 10,
    conversions: 2,
    bids: 2000,
    spent: 1,
    exchange: 'google',
    publisher: '=1+1',
    app_or_site: 'sheet.example',
    device_type_key: 2,
    os: 'Windows',
    country: 'AM',
    region: '',
    city: 'Yerevan',
    size: '300x250',
  },
]

describe('reports with figures', () => {
  let product: TestProduct
  let ada: Session
  let bola: Session
  let owner: Session
  let id = ''
  let space = ''

  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    const delivery = await deliveryIn(product)
    ;({ ada, space } = delivery)
    bola = await product.as('bola@lagos.example')
    owner = await product.as('owner@dsp.example')
    id = await delivery.running({ budget: 100 })
    const rows = rowsOf(id)
    delivered = String(rows[0]?.['hour'])
    expect((await delivery.send(newId(), rows)).code).toBe(0)
  })
  afterAll(() => product.stop())

  const asked = async (name: string, body: Row = {}, by: Session = ada) =>
    by.call<Report>('POST', `/v1/reports/${name}`, { ...ofToday(), ...body })
  const report = async (body: Row = {}) =>
    (await ada.call<Report>('POST', '/v1/campaign/report', { id, ...ofToday(), ...body })).data

  // covers REP-13
  it('totals have every metric, with ratios of sums', async () => {
    const { data } = await asked('total')
    expect(data.totals).toMatchObject({
      impressions: 10_000,
      clicks: 100,
      conversions: 10,
      spent: 6,
      bids: 20_000,
      ctr: 1,
      cpm: 0.6,
      cpc: 0.06,
      cvr: 10,
      cpa: 0.6,
      cpcv: 0.2,
      win_rate: 50,
      bounce_rate: 15,
      engagement_rate: 1.2,
    })
    expect(data.currency).toBe('USD')
    expect(Date.parse(data.complete_through)).toBeLessThanOrEqual(Date.parse(data.as_of))
  })

  it.each([
    { granularity_type_key: 1, points: 24 }, // covers REP-31
    { granularity_type_key: 2, points: 1 }, // covers REP-32
  ])('the dashboard has $points points of a day for granularity $granularity_type_key', async ({ points, ...body }) => {
    const { data } = await asked('dashboard', body)
    expect(data.points).toHaveLength(points)
    expect(data.points.reduce((sum, point) => sum + (point.values['impressions'] ?? 0), 0)).toBe(10_000)
  })

  // covers REP-14 REP-33 REP-34
  it('a point of the dashboard is named by its start and carries its values', async () => {
    const { data } = await asked('dashboard', { granularity_type_key: 2 })
    expect(data.points[0]).toMatchObject({ name: Date.parse(`${today()}T00:00:00Z`), values: { impressions: 10_000, spent: 6 } })
  })

  it.each([
    { name: 'platforms', keys: ['3', '5', '2'] }, // covers REP-16
    { name: 'publishers', keys: ['news', 'games', '=1+1'] }, // covers REP-17
    { name: 'banners', keys: ['300x250', '728x90'] }, // covers REP-18
  ])('$name are the rows of their report, the most spent first', async ({ name, keys }) => {
    const { data } = await asked(name)
    expect(data.rows.map(({ key }) => key)).toEqual(keys)
    expect(data.rows.reduce((sum, { values }) => sum + (values['spent'] ?? 0), 0)).toBe(6)
  })

  it('banners are reported by day, whatever granularity is asked for', async () => {
    expect((await asked('banners', { granularity_type_key: 1 })).data.points).toHaveLength(1)
  })

  // covers REP-20
  it.each([
    ['device_os', ['iOS', 'Android', 'Windows']],
    ['app_or_site', ['news.example', 'com.example.game', 'sheet.example']],
    ['size', ['300x250', '728x90']],
    ['exchange', ['google', 'verve']],
    ['country', ['NG', 'AM']],
    ['region', ['Lagos', 'Oyo', '']],
    ['city', ['Ikeja', 'Ibadan', 'Yerevan']],
  ])('groups by %s', async (dimension, keys) => {
    expect((await asked('dimension', { dimension })).data.rows.map(({ key }) => key)).toEqual(keys)
  })

  it('names rows as the tables of the screens do, by every grouping', async () => {
    const named = async (name: string, body = {}) => (await asked(name, body)).data.rows.map(({ label }) => label)
    expect(await named('dimension', { dimension: 'exchange' })).toEqual(['Google AdX', 'Verve Group'])
    expect(await named('dimension', { dimension: 'country' })).toEqual(['Nigeria', 'Armenia'])
    expect(await named('dimension', { dimension: 'region' })).toEqual(['Lagos', 'Oyo', '(not reported)'])
    expect((await named('dimension', { dimension: 'day_of_week' })).join()).toMatch(/^[A-Z][a-z]+day$/)
    expect((await named('dimension', { dimension: 'hour' })).join()).toMatch(/^\d\d:00(,\d\d:00)*$/)
    expect(await named('platforms')).toEqual(['Mobile', 'Android', 'Desktop'])
  })

  it('names advertisers, and refuses an unknown grouping with 150', async () => {
    const { data } = await asked('dimension', { dimension: 'advertiser' }, owner)
    expect(data.rows).toMatchObject([{ key: space, label: 'Nile Travel' }])
    expect(await asked('dimension', { dimension: 'zodiac' })).toMatchObject({ status: 400, code: 150 })
  })

  it('gives no money where accounts of several currencies are in reach, and all of it for one account', async () => {
    const all = (await asked('total', {}, owner)).data
    expect(all.currency).toBeNull()
    expect(Object.keys(all.totals)).not.toContain('spent')
    expect((await asked('total', { space_id: space }, owner)).data.totals['spent']).toBe(6)
  })

  // covers REP-35 CAM-REP-05 CAM-REP-08
  it('every filter of a report narrows it, and together they narrow further', async () => {
    const filters = { device_type_key: 3, visual_size_key: 106, publisher: 'news', tz_offset_seconds: 0, granularity_type_key: 2 }
    const { data } = await asked('dashboard', { id, ...filters, included_metrics: ['impressions', 'spent'] })
    expect(data.totals).toEqual({ impressions: 6000, spent: 3 })
    expect((await asked('total', { ...filters, publisher: 'games' })).data.totals['impressions']).toBe(0)
    expect((await report({ device_type_key: 3 })).totals['impressions']).toBe(6000)
    expect((await report({ publisher: 'games' })).totals['impressions']).toBe(3000)
    expect((await report({ visual_size_key: 1 })).totals['impressions']).toBe(10_000)
  })

  it('the list, the card, the reports and the CSV files show the same amounts', async () => {
    const { data: list } = await ada.call<{ data: readonly (Values & { id: string; report_data: Values })[] }>(
      'POST',
      '/v1/campaign/list/v2',
      {
        ...ofToday(),
        order_field: 'spent',
        order_asc: false,
      },
    )
    expect(list.data[0]).toMatchObject({ id, spent: 6, impressions: 10_000, budget_spent: 6, daily_budget_spent: 6, cpa: 0.6 })
    expect((await ada.call('GET', `/v1/campaign/${id}`)).data).toMatchObject({
      budget_spent: 6,
      impressions: 10_000,
      clicks: 100,
    })
    expect((await ada.call<Values>('GET', `/v1/campaign/${id}/total`)).data['current_period_spent']).toBe(6)
    expect((await report()).totals['spent']).toBe(6)
    expect((await csvOf('account-report', {})).lines.find((line) => /,Delivered/.test(line))).toMatch(/,6,0$/)
    const { lines: sources } = await csvOf('traffic-source', { id, included_metrics: ['impressions', 'spent'] })
    expect(sources.slice(1, 3)).toEqual(['google,news,news.example,6000,3', 'verve,games,com.example.game,3000,2'])
    // A cell that a spreadsheet would run as a formula is text.
    expect(sources[3]).toMatch(/^google,"?'=1\+1"?,sheet\.example,1000,1$/)
  })

  const csvOf = async (path: string, body: Row) => {
    const answer = await fetch(`${product.base}/v1/campaign/report/download/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...ofToday(), ...body }),
    })
    return { status: answer.status, lines: (await answer.text()).trim().split('\r\n') }
  }

  it('CSV files have the requested metrics as columns, in the requested order', async () => {
    const included_metrics = ['win_rate', 'spent', 'impressions']
    const days = await csvOf('campaign-report', { id, included_metrics })
    expect(days.lines).toEqual(['Date,Win rate,Spent,Impressions', `${today()},50,6,10000`])
    const hours = await csvOf('campaign-report', { id, included_metrics, granularity_type_key: 1 })
    expect(hours.lines).toHaveLength(25)
    expect(hours.lines).toContain(`${hour().slice(0, 16)},50,6,10000`)
    const campaigns = await csvOf('account-report', { included_metrics })
    expect(campaigns.lines[0]).toBe(
      'Id,Name,Account,Status,Start date,End date,Goal,Currency,Budget,Budget type,Win rate,Spent,Impressions',
    )
    expect(campaigns.lines.find((line) => /,Delivered/.test(line))).toMatch(/,50,6,10000$/)
    expect((await csvOf('account-report', { included_metrics: ['beauty'] })).status).toBe(400)
  })

  type Table = {
    readonly rows: readonly {
      readonly key: string
      readonly label: string
      readonly detail: string | null
      readonly url: string | null
      readonly values: Values
    }[]
    readonly totals: Values
    readonly current_page: number
    readonly total_size: number
    readonly left_out: number
    readonly currency: string | null
    readonly time_zone: string
  }
  const table = async (grouping: string, body: Row = {}, by: Session = ada) =>
    (await by.call<Table>('POST', '/v1/reports/table', { ...ofToday(), grouping, ...body })).data
  const labels = async (grouping: string, body: Row = {}) => (await table(grouping, body)).rows.map(({ label }) => label)
  const fileOf = (format: string, grouping: string, body: Row = {}) =>
    fetch(`${product.base}/v1/reports/table/download`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...ofToday(), grouping, format, ...body }),
    })

  it.each(TABLE_GROUPINGS)('a table by %s adds up to the totals, of an account and of a campaign', async (grouping) => {
    for (const body of [{}, { id }, { device_type_keys: [3, 5, 2] }]) {
      const { rows, totals } = await table(grouping, { page_size: 150, ...body })
      const sum = (metric: string) => rows.reduce((total, { values }) => total + (values[metric] ?? 0), 0)
      expect([sum('impressions'), sum('spent'), sum('conversions')]).toEqual([10_000, 6, 10])
      expect(totals).toMatchObject({ impressions: 10_000, spent: 6, conversions: 10, ctr: 1 })
    }
  })

  it('a table names its rows in the language of the user', async () => {
    expect(await labels('country')).toEqual(['Nigeria', 'Armenia'])
    expect(await labels('country', { language_key: 2 })).toEqual(['Нигерия', 'Армения'])
    expect(await labels('platforms')).toEqual(['Mobile', 'Android', 'Desktop'])
    expect(await labels('region')).toEqual(['Lagos', 'Oyo', '(not reported)'])
    expect((await table('campaign')).rows[0]).toMatchObject({ key: id })
    expect(await labels('campaign')).toEqual([expect.stringMatching(/^Delivered/)])
    expect(await labels('advertiser')).toEqual(['Nile Travel'])
  })

  it('a table of creatives has their names, campaigns and pictures, and one of apps their names and ids', async () => {
    const { data: campaign } = await ada.call<{
      readonly visuals: { readonly banners: readonly { readonly id: string; readonly creative_name: string }[] }
    }>('GET', `/v1/campaign/${id}`)
    const [banner] = campaign.visuals.banners
    const own = { ...rowsOf(id)[0], creative_id: banner?.id ?? '', app_or_site: 'com.whatsapp', impressions: 0, spent: 0 }
    const nothing = { clicks: 0, conversions: 0, bids: 0, bounces: 0, engagements: 0, completed_views: 0 }
    const bidder = await deliveryIn(product)
    expect((await bidder.send(newId(), [{ ...own, ...nothing }])).code).toBe(0)
    const creatives = (await table('creative')).rows
    expect(creatives.find(({ key }) => key === banner?.id)).toMatchObject({
      label: banner?.creative_name,
      detail: expect.stringMatching(/^Delivered/) as unknown,
      url: expect.stringMatching(/^\/v1\/file\/cache\//) as unknown,
    })
    const dimension = (await asked('dimension', { dimension: 'creative' })).data.rows
    expect(dimension.find(({ key }) => key === banner?.id)).toMatchObject({ label: banner?.creative_name })
    expect((await table('app_or_site', { search: 'whatsapp' })).rows).toMatchObject([
      { key: 'com.whatsapp', detail: 'com.whatsapp' },
    ])
  })

  it('a table is sorted by any column, searched by name and paged', async () => {
    expect(await labels('publishers', { order_field: 'clicks', order_asc: true, search: 'e' })).toEqual(['games', 'news'])
    expect(await labels('publishers', { order_field: 'name' })).toEqual(['=1+1', 'games', 'news'])
    expect(await labels('publishers', { order_field: 'name', order_asc: false })).toEqual(['news', 'games', '=1+1'])
    const second = await table('publishers', { page: 1, page_size: 1 })
    expect(second).toMatchObject({ rows: [{ key: 'games' }], current_page: 1, total_size: 3, left_out: 0, currency: 'USD' })
    const sorted = await table('publishers', { page: 1, page_size: 1, order_field: 'impressions', order_asc: true })
    expect(sorted).toMatchObject({ rows: [{ key: 'games' }], total_size: 3 })
    const found = await table('country', { search: 'niger' })
    expect(found).toMatchObject({ rows: [{ key: 'NG' }], total_size: 1, totals: { impressions: 9000, spent: 5 } })
    const unknown = await ada.call('POST', '/v1/reports/table', { ...ofToday(), grouping: 'zodiac' })
    expect(unknown).toMatchObject({ status: 400, code: 150 })
    const unordered = await ada.call('POST', '/v1/reports/table', { ...ofToday(), grouping: 'country', order_field: 'beauty' })
    expect(unordered).toMatchObject({ status: 400, code: 2 })
  })

  it('a table by day or hour has every day or hour that has begun, the newest first', async () => {
    const yesterday = new Date(Date.parse(today()) - 86_400_000).toISOString().slice(0, 10)
    const days = await table('day', { from_date: yesterday })
    expect(days.rows.map(({ key, values }) => [key, values['impressions']])).toEqual([
      [today(), 10_000],
      [yesterday, 0],
    ])
    const hours = (await table('date_hour', { page_size: 150 })).rows
    expect(hours).toHaveLength(new Date(testClock.now()).getUTCHours() + 1)
    expect(hours.find(({ values }) => values['impressions'] === 10_000)?.key).toBe(
      `${hour().slice(0, 10)} ${hour().slice(11, 13)}:00`,
    )
  })

  it('a table is exported as it is shown, as CSV with a byte order mark and as a workbook', async () => {
    const shown = { order_field: 'clicks', order_asc: true, search: 'i', included_metrics: ['clicks', 'spent'] }
    const csv = await fileOf('csv', 'country', shown)
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="report-by-country.csv"')
    const bytes = Buffer.from(await csv.arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const lines = bytes.subarray(3).toString().trim().split('\r\n')
    expect(lines).toEqual(['Country,Currency,Clicks,Spend', 'Armenia,USD,10,1', 'Nigeria,USD,90,5'])
    const xlsx = await fileOf('xlsx', 'publishers', { included_metrics: ['clicks'], language_key: 2 })
    const [sheet] = await readXlsxFile(Buffer.from(await xlsx.arrayBuffer()))
    expect(sheet?.sheet).toBe('Отчёт')
    expect(sheet?.data).toEqual([
      ['Издатель', 'Валюта', 'Клики'],
      ['news', 'USD', 60],
      ['games', 'USD', 30],
      ['=1+1', 'USD', 10],
    ])
    expect((await fileOf('pdf', 'country')).status).toBe(400)
  })

  // covers FP-31
  it('delivery beyond the budget is a figure of its own, and not charged', async () => {
    type Beyond = { readonly impressions: number; readonly amount: number; readonly currency: string }
    const { running, send } = await deliveryIn(product)
    const small = await running({ budget: 10 })
    const row = { ...rowsOf(small)[0], spent: 15 }
    expect((await send(newId(), [row])).code).toBe(0)
    const beyond = (await ada.call<Beyond>('GET', `/v1/campaign/${small}/over-delivery`)).data
    expect(beyond).toMatchObject({ impressions: 2000, amount: 5, currency: 'USD' })
    expect((await table('day', { id: small })).totals).toMatchObject({ spent: 10, impressions: 6000 })
    expect((await ada.call<Beyond>('GET', `/v1/campaign/${id}/over-delivery`)).data).toMatchObject({ impressions: 0, amount: 0 })
    expect(await bola.call('GET', `/v1/campaign/${small}/over-delivery`)).toMatchObject({ status: 404, code: 130 })
  })

  it('changes are the days and hours in which users changed a campaign, for those who may read its log', async () => {
    type Changes = {
      readonly points: readonly {
        readonly name: number
        readonly count: number
        readonly total_size: number
        readonly campaigns: readonly { readonly id: string; readonly name: string; readonly count: number }[]
      }[]
    }
    const changes = (body: Row, by = owner) => by.call<Changes>('POST', '/v1/reports/changes', { ...ofToday(), ...body })
    const log = await owner.call<{ readonly total_size: number }>(
      'GET',
      `/v1/campaign/revision/snapshot/${id}?source=people&day=${today()}`,
    )
    expect(log.data.total_size).toBeGreaterThan(1)
    const own = (await changes({ id })).data.points
    expect(own.reduce((sum, { count }) => sum + count, 0)).toBe(log.data.total_size)
    expect(own.at(-1)).toMatchObject({ total_size: 1, campaigns: [{ id }] })
    const hours = (await changes({ id, granularity_type_key: 1 })).data.points
    expect(hours.reduce((sum, { count }) => sum + count, 0)).toBe(log.data.total_size)
    expect(hours.every(({ name }) => name % 3_600_000 === 0)).toBe(true)
    const all = (await changes({ space_id: space })).data.points
    expect(all.flatMap(({ campaigns }) => campaigns.map((campaign) => campaign.id))).toContain(id)
    expect((await changes({ space_id: space, from_date: '2020-01-01', to_date: '2020-01-07' })).data.points).toEqual([])
    expect(await changes({ id }, ada)).toMatchObject({ status: 403, code: 3 })
    const earlier = `/v1/campaign/revision/snapshot/${id}?day=2020-01-01`
    expect((await owner.call<{ readonly total_size: number }>('GET', earlier)).data.total_size).toBe(0)
    expect((await owner.call('GET', `/v1/campaign/revision/snapshot/${id}?day=today`)).code).toBe(2)
  })
})
