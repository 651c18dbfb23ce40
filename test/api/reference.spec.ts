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
  it('the reference of places lists the cities of a country, the largest first, with their offsets', async () => {
    const { data, code } = await get<readonly City[]>('/v1/geo/city?country=NG')
    expect(code).toBe(0)
    expect(data.length).toBeGreaterThan(500)
    expect(data[0]).toMatchObject({ id: '2332459', name: 'Lagos', timezone_offset_seconds: 3600 })
  })

  // covers ERR-40
  it('the reference of places answers 190 for an unknown country', async () => {
    for (const country of ['XX', 'Nigeria', '', '%00'])
      expect([190, 2]).toContain((await get(`/v1/geo/city?country=${country}`)).code)
    expect((await get('/v1/geo/city?country=ZZ')).code).toBe(190)
  })

  // covers GEO-02
  it('the reference of places lists all countries with the offset of campaigns, in two languages, without sign-in', async () => {
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
  // covers DICT-01..04 DICT-08
  it('dictionaries are answered by name, in two languages', async () => {
    for (const name of ['device_types', 'languages', 'interests', 'iab_categories']) {
      const [english, russian] = await Promise.all(
        ['en_US', 'ru_RU'].map((locale) => get<readonly Item[]>(`/v1/dictionary/meta/${name}/${locale}`)),
      )
      expect(english?.data.length).toBeGreaterThan(1)
      expect(russian?.data.map(({ key }) => key)).toEqual(english?.data.map(({ key }) => key))
      expect(russian?.data).not.toEqual(english?.data)
    }
  })

  // covers DICT-08
  it('dictionaries answer 131 for an unknown dictionary', async () => {
    const answer = await get('/v1/dictionary/meta/constructor/en_US')
    expect([answer.status, answer.code]).toEqual([404, 131])
  })

  it.each([
    '/v1/dictionary/meta/interests/en_US',
    '/v1/geo/city?country=TN',
    '/v1/geo/country?language=ru',
    '/v1/campaign/app/categories',
  ])('dictionaries send an ETag with %s and answer 304 to it', async (path) => {
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/)
    const again = await raw(path, etag)
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await raw(path, `"other", ${etag}`)).status).toBe(304)
    expect((await raw(path, '"other"')).status).toBe(200)
  })

  // covers DICT-05 CAM-API-35 CAM-API-36 CAM-REP-13
  it('dictionaries list categories of apps by default, and of games', async () => {
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
  it('apps are found by bundle id, or refused with 1311', async () => {
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
  it('apps are found as resources by part of their name, with their number of users', async () => {
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
  it('apps can be requested when missing, and the request is stored', async () => {
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
  type Estimate = { readonly total: number; readonly status: string }
  const size = async (by: Session, body: Record<string, unknown>) => by.call<Estimate>('POST', '/v1/audience/audience-size', body)

  // covers CAM-EST-03 CAM-EST-15
  it('estimates of an audience are for any signed-in user, with the country of a campaign that they reach', async () => {
    const { data } = await size(ada, { country: 'AM', languages: [], location_option_key: '1' })
    expect(data.status).toBe('ok')
    expect((await size(clerk, { country: 'AM' })).data).toEqual(data)
    const body = { name: 'Sized', country: 'AM', bidding_strategy: { type: 'awareness' } }
    const { data: campaign } = await ada.call('POST', '/v1/campaign', body)
    expect((await size(ada, { campaign_id: campaign.id })).data).toEqual(data)
    expect((await size(await product.as('bola@lagos.example'), { campaign_id: campaign.id })).code).toBe(130)
    expect((await size(ada, { country: 'XX' })).code).toBe(190)
    expect((await size(ada, { fromAge: 12 })).code).toBe(2)
  })

  // covers CAM-EST-16
  it('estimates of placements are answered, and their list to those who may read campaigns', async () => {
    const gauge = await ada.call<Estimate>('POST', '/v1/audience/placements-gauge', { country: 'NG' })
    expect(gauge.data.status).toBe('ok')
    const places = (by: Session, body: object) => by.call<{ total_size: number }>('POST', '/v1/reports/placement', body)
    expect((await places(ada, { country: 'NG', filters: { environment: 'site' } })).data.total_size).toBeGreaterThan(1)
    const total = async (body: object) => (await places(ada, { country: 'NG', ...body })).data.total_size
    const [all, web, app] = [await total({}), await total({ environment: 'web' }), await total({ environment: 'app' })]
    expect([web > 0, app > 0, web + app]).toEqual([true, true, all])
    expect(await total({ filters: { environment: 'web' } })).toBe(web)
    expect(await total({ environment: 'app', filters: { environment: 'site' } })).toBe(0)
    for (const environment of ['all', '', null]) expect(await total({ environment })).toBe(all)
    const unknown = await places(ada, { filters: { environment: 'moon' } })
    expect(unknown).toMatchObject({ code: 2, data: { errors: [{ path: 'filters.environment', key: 'oneOf' }] } })
    expect((await places(ada, { environment: 'moon' })).code).toBe(2)
    expect((await ada.call('POST', '/v1/audience/placements-gauge', { country: 'NG', environment: 'moon' })).code).toBe(2)
    expect((await places(ada, { order: 'random' })).code).toBe(2)
    expect((await places(clerk, {})).code).toBe(3)
  })
})
