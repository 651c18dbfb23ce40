import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type City = { readonly id: string; readonly name: string; readonly timezone_offset_seconds: number; readonly population: number }
type Item = { readonly key: string; readonly value: string; readonly title: string }

let product: TestProduct
let ada: Session
let clerk: Session
beforeAll(async () => {
  product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
  ;[ada, clerk] = await Promise.all([product.as('ada@nile.example'), product.as('clerk@nile.example')])
})
afterAll(() => product.stop())

const get = <T>(path: string, headers?: Record<string, string>) => ada.call<T>('GET', path, undefined, headers)
const raw = (path: string, etag: string) =>
  fetch(product.base + path, { headers: { authorization: `Bearer ${ada.token}`, 'if-none-match': etag } })

describe('places', () => {
  // covers GEO-01
  it('list the cities of a country, the largest first, with their offsets', async () => {
    const { data, code } = await get<readonly City[]>('/v1/geo/city?country=NG')
    expect(code).toBe(0)
    expect(data.length).toBeGreaterThan(500)
    expect(data[0]).toMatchObject({ id: '2332459', name: 'Lagos', timezone_offset_seconds: 3600 })
    expect(data.map(({ population }) => population)).toEqual(data.map(({ population }) => population).toSorted((a, b) => b - a))
    for (const country of ['AM', 'TN', 'US', 'GB', 'ng'])
      expect((await get<readonly City[]>(`/v1/geo/city?country=${country}`)).data.length).toBeGreaterThan(100)
  })

  // covers ERR-40
  it('answer 190 for an unknown country', async () => {
    for (const country of ['XX', 'Nigeria', '', '%00'])
      expect([190, 2]).toContain((await get(`/v1/geo/city?country=${country}`)).code)
    expect((await get('/v1/geo/city?country=ZZ')).code).toBe(190)
  })

  // covers GEO-02
  it('list all countries with the offset of campaigns, in two languages, without sign-in', async () => {
    const answer = await fetch(`${product.base}/v1/geo/country`)
    const { data }: { data: { iso_code: string; name: string; timezone_offset_seconds: number }[] } = await answer.json()
    expect(data.length).toBeGreaterThan(240)
    expect(data.find(({ iso_code }) => iso_code === 'AM')).toEqual({
      iso_code: 'AM',
      name: 'Armenia',
      timezone_offset_seconds: 14_400,
    })
    const russian = await get<{ iso_code: string; name: string }[]>('/v1/geo/country?language=ru')
    expect(russian.data.find(({ iso_code }) => iso_code === 'AM')?.name).toBe('Армения')
  })
})

describe('dictionaries', () => {
  // covers DICT-08
  it.each([
    'device_types', // covers DICT-01 DICT-09
    'languages', // covers DICT-02 DICT-10
    'interests', // covers DICT-03 DICT-11
    'iab_categories', // covers DICT-04
  ])('give %s keys, values and titles in two languages', async (name) => {
    const [english, russian] = await Promise.all([
      get<readonly Item[]>(`/v1/dictionary/meta/${name}/en_US`),
      get<readonly Item[]>(`/v1/dictionary/meta/${name}/ru_RU`),
    ])
    expect(english.data.length).toBeGreaterThan(1)
    const text = expect.stringMatching(/\S/)
    for (const item of english.data) expect(item).toMatchObject({ key: text, value: text, title: text })
    expect(russian.data.map(({ key }) => key)).toEqual(english.data.map(({ key }) => key))
    expect(russian.data.some(({ title }) => /[а-я]/.test(title))).toBe(true)
    // An unknown locale is answered in English.
    expect((await get<readonly Item[]>(`/v1/dictionary/meta/${name}/fr_FR`)).data).toEqual(english.data)
  })

  // covers CONST-40
  it('list English and Hausa as languages of people', async () => {
    const { data } = await get<readonly Item[]>('/v1/dictionary/meta/languages/en_US')
    expect(data.map(({ key, title }) => [key, title])).toEqual([
      ['english', 'English'],
      ['hausa', 'Hausa'],
    ])
  })

  // covers DICT-08
  it('answer 131 for an unknown dictionary', async () => {
    const answer = await get('/v1/dictionary/meta/constructor/en_US')
    expect([answer.status, answer.code]).toEqual([404, 131])
  })

  it.each([
    '/v1/dictionary/meta/interests/en_US',
    '/v1/geo/city?country=TN',
    '/v1/geo/country?language=ru',
    '/v1/campaign/app/categories',
  ])('send an ETag with %s and answer 304 to it', async (path) => {
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/)
    const again = await raw(path, etag)
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await raw(path, `"other", ${etag}`)).status).toBe(304)
    expect((await raw(path, '"other"')).status).toBe(200)
  })

  // covers DICT-05 CAM-API-35 CAM-API-36 CAM-REP-13
  it('list categories of apps by default, and of games', async () => {
    type Category = { readonly category_id: string; readonly category_name: string }
    const path = '/v1/campaign/app/categories'
    const [any, app, game] = await Promise.all(
      [path, `${path}?type=app`, `${path}?type=game`].map((one) => get<readonly Category[]>(one)),
    )
    expect(any?.data).toEqual(app?.data)
    expect(app?.data.find(({ category_id }) => category_id === 'finance')?.category_name).toBe('Finance')
    expect(game?.data.every(({ category_id }) => category_id.startsWith('game_'))).toBe(true)
    expect((await get(`${path}?type=film`)).code).toBe(2)
  })
})

describe('apps', () => {
  // covers CAM-API-39 CAM-STRAT-32 CAM-ERR-50
  it('are found by bundle id, or refused with 1311', async () => {
    const known = await ada.call('POST', '/v1/campaign/app/promotion', {
      app_platform_type: 'android',
      bundle_id: 'com.whatsapp',
    })
    expect(known.data).toMatchObject({
      app_name: 'WhatsApp Messenger',
      price: '0',
      advertiser: 'WhatsApp LLC',
      call_to_action: 'Install',
    })
    expect(Object.keys(known.data).sort()).toEqual(
      ['advertiser', 'app_icon', 'app_name', 'body', 'call_to_action', 'min_os_version', 'price', 'star_rating'].sort(),
    )
    for (const [app_platform_type, bundle_id] of [
      ['ios', 'com.spotify.client'],
      ['android', 'com.spotify.music'],
    ]) {
      const other = await ada.call('POST', '/v1/campaign/app/promotion', { app_platform_type, bundle_id })
      expect(other.data).toMatchObject({ app_name: 'Spotify', advertiser: 'Spotify AB' })
    }
    const unknown = await ada.call('POST', '/v1/campaign/app/promotion', { app_platform_type: 'ios', bundle_id: 'com.whatsapp' })
    expect([unknown.status, unknown.code]).toEqual([400, 1311])
    const app_promotion = { app_platform_type: 'ios', bundle_id: 'com.whatsapp', mmp: 'adjust' }
    const body = {
      name: 'No such app',
      country: 'NG',
      bidding_strategy: { type: 'consideration', goal: 'APP_INSTALLS', app_promotion },
    }
    const saved = await ada.call('POST', '/v1/campaign', body)
    expect([saved.code, saved.data.errors[0]?.path]).toEqual([1311, 'bidding_strategy.app_promotion.bundle_id'])
  })

  // covers CAM-EST-17 AUD-01
  it('are found as resources by part of their name, with their number of users', async () => {
    type Resource = {
      readonly name: string
      readonly users_min: number
      readonly users_max: number
      readonly bundle_ids: string[]
      readonly type: string
    }
    const { data } = await get<readonly Resource[]>('/v1/audience/audience-resource?name=whats&country=NG')
    expect(data[0]).toMatchObject({ name: 'WhatsApp Business', type: 'app' })
    expect(Object.keys(data[0] ?? {}).sort()).toEqual(['bundle_ids', 'icon', 'id', 'name', 'type', 'users_max', 'users_min'])
    for (const { users_min, users_max } of data) expect(users_min).toBeLessThan(users_max)
    expect((await get<readonly Resource[]>('/v1/audience/audience-resource?name=')).data).toEqual([])
  })

  // covers CAM-API-38
  it('can be requested when missing, and the request is stored', async () => {
    const { data: campaign } = await ada.call('POST', '/v1/campaign', {
      name: 'Asks',
      country: 'NG',
      bidding_strategy: { type: 'awareness' },
    })
    const body = { name: ' Nile Boats ', campaign_id: campaign.id }
    const answer = await ada.call('POST', '/v1/campaign/app/pending/resources', body)
    expect(answer.data).toMatchObject({ name: 'Nile Boats', campaign_id: campaign.id, position: expect.stringMatching(/^\d+$/) })
    const { rows } = await product.database.pool.query('select name, campaign_id from app.resource_requests')
    expect(rows).toEqual([{ name: 'Nile Boats', campaign_id: campaign.id }])
    expect((await ada.call('POST', '/v1/campaign/app/pending/resources', { ...body, campaign_id: 'no' })).code).toBe(130)
    expect((await clerk.call('POST', '/v1/campaign/app/pending/resources', body)).code).toBe(3)
  })
})

describe('estimates', () => {
  type Estimate = {
    readonly total: number
    readonly estimate: number
    readonly total_impressions: number
    readonly status: string
  }
  const size = async (body: Record<string, unknown>) =>
    (await ada.call<Estimate>('POST', '/v1/audience/audience-size', body)).data
  const screen = {
    apps: { includeAny: [], include: [], exclude: [] },
    interests: { includeAny: [], include: [], exclude: [] },
    segment_audiences: { includeAny: [], include: [], exclude: [] },
    cpm: 0.35,
    gender: 1,
    fromAge: 18,
    toAge: 65,
    similarity: 1,
    languages: [],
    banners: [],
    behaviors: [],
    locations: [],
    websites: [],
    campaign_id: null,
    location_option_key: '1',
  }

  // covers CAM-EST-01 CAM-EST-03 CAM-EST-15
  it('accept the body of the screen from any signed-in user, and every filter narrows them', async () => {
    const all = await size({ ...screen, country: 'NG' })
    expect(all).toMatchObject({ status: 'ok', estimate: all.total, estimate_impressions: all.total_impressions })
    expect(all.total_impressions).toBeGreaterThan(all.total)
    expect(all.total).toBeGreaterThan(10_000_000)
    expect((await clerk.call<Estimate>('POST', '/v1/audience/audience-size', { ...screen, country: 'NG' })).data).toEqual(all)
    for (const narrower of [
      { interests: { includeAny: ['sports'] } },
      { apps: { include: ['whatsapp'] } },
      { segment_audiences: { include: ['one'] } },
      { gender: 2 },
      { fromAge: 30 },
      { toAge: 30 },
      { city_ids: ['2332459'] },
      { regions: ['lagos'] },
    ])
      expect((await size({ ...screen, country: 'NG', ...narrower })).total).toBeLessThan(all.total)
    expect((await size({ ...screen, country: 'NG', cpm: 0.1 })).total_impressions).toBeLessThan(all.total_impressions)
    expect((await size(screen)).total).toBeGreaterThan(all.total)
  })

  it('use the country of the campaign by default, and refuse a campaign of another account', async () => {
    const body = { name: 'Sized', country: 'AM', bidding_strategy: { type: 'awareness' } }
    const { data: campaign } = await ada.call('POST', '/v1/campaign', body)
    expect(await size({ ...screen, campaign_id: campaign.id })).toEqual(await size({ ...screen, country: 'AM' }))
    const bola = await product.as('bola@lagos.example')
    expect((await bola.call('POST', '/v1/audience/audience-size', { campaign_id: campaign.id })).code).toBe(130)
    expect((await ada.call('POST', '/v1/audience/audience-size', { country: 'XX' })).code).toBe(190)
    expect((await ada.call('POST', '/v1/audience/audience-size', { fromAge: 12 })).code).toBe(2)
  })

  // covers CAM-EST-16
  it('of placements have the same form', async () => {
    const ask = async (body: Record<string, unknown>) =>
      (await ada.call<Estimate>('POST', '/v1/audience/placements-gauge', { country: 'NG', ...body })).data
    const all = await ask({})
    expect(all).toMatchObject({ status: 'ok', estimate: all.total })
    for (const narrower of [
      { device_type_key: 3 },
      { environment: 'web' },
      { excluded_all_games: true },
      { min_os_version: '10.1' },
    ])
      expect((await ask(narrower)).total).toBeLessThan(all.total)
  })

  // covers CAM-REP-14 CONST-41 REP-01 REP-03..10
  it('of placements are listed with all keys, sorted by impressions, and narrowed by every filter', async () => {
    type Place = Readonly<Record<string, string | number | boolean>>
    type Places = { readonly total_size: number; readonly page_size: number; readonly data: readonly Place[] }
    const ask = async (body: Record<string, unknown>) =>
      (await ada.call<Places>('POST', '/v1/reports/placement', { country: 'NG', ...body })).data
    const all = await ask({})
    const keys = [
      'name',
      'site_or_app',
      'exchange_id',
      'os',
      'interstitial',
      'user_count',
      'impression_count',
      'creative_position',
      'creative_type',
      'creative_size',
    ]
    for (const key of keys) expect(all.data[0]).toHaveProperty(key)
    expect([all.page_size, all.data.length]).toEqual([150, 150])
    const counts = all.data.map((place) => Number(place['impression_count']))
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    expect((await ask({ order: 'high_to_low' })).data).toEqual(all.data)
    expect((await ada.call('POST', '/v1/reports/placement', { order: 'random' })).code).toBe(2)
    const rising = (await ask({ order: 'low_to_high' })).data.map((place) => Number(place['impression_count']))
    expect(rising).toEqual(rising.toSorted((a, b) => a - b))
    for (const key of ['category', 'creative_position', 'creative_type', 'creative_size']) {
      const value = all.data[0]?.[key]
      const some = await ask({ filters: { [key]: value } })
      expect(some.total_size).toBeLessThan(all.total_size)
      expect(some.data.every((place) => place[key] === value)).toBe(true)
    }
    const environments = await Promise.all(['app', 'site'].map((environment) => ask({ filters: { environment } })))
    expect(environments.reduce((sum, { total_size }) => sum + total_size, 0)).toBe(all.total_size)
    expect(environments[0]?.data[0]).toMatchObject({ site_or_app: 'app' })
    expect(environments[1]?.data[0]).toMatchObject({
      site_or_app: 'site',
      os: 'Web',
      bundle_id: expect.stringMatching(/\.com$/) as unknown,
    })
    expect((await ask({ filters: { environment: 'web' } })).data).toEqual(environments[1]?.data)
    for (const [i, { data }] of environments.entries())
      expect(data.filter((place) => place['site_or_app'] !== ['app', 'site'][i])).toEqual([])
    const named = (await ask({ name: 'whats' })).data.map((place) => String(place['name']))
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !/whats/i.test(name))).toEqual([])
    const next = await ask({ page: 1 })
    expect(next.data.length).toBe(all.total_size - 150)
    expect(all.data).not.toContainEqual(next.data[0])
    const elsewhere = await ask({ country: 'EG' })
    expect(elsewhere.data[0]?.['user_count']).not.toBe(all.data[0]?.['user_count'])
    expect((await clerk.call('POST', '/v1/reports/placement', {})).code).toBe(3)
  })
})
