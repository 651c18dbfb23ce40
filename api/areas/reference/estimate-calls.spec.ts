import { describe, expect, it } from 'vitest'
import { appCatalogue } from '#platform/reference/app-catalogue'
import { createEstimateCalls, type EstimateDeps } from './estimate-calls.ts'

const COUNTRIES = ['NG', 'EG', 'AM']
const deps: EstimateDeps = {
  accounts: { opened: async () => null },
  placeOf: async () => ({ spaceId: 'nile', whitelabelId: 'dsp' }),
  countryOf: async () => 'AM',
  countryKnown: (country) => COUNTRIES.includes(country),
  apps: appCatalogue,
  segmentSizes: async (_, ids) => new Map(ids.map((id) => [id, 40])),
  populations: async () =>
    new Map([
      ['lagos', 9_000_000],
      ['kano', 3_000_000],
    ]),
}
const calls = createEstimateCalls(deps)
const CALLER: Parameters<typeof calls.places>[0] = {
  actor: { userId: 'ada', whitelabelId: 'dsp', homeSpaceId: 'nile', spaceId: 'nile', roles: ['USER_OWNER'] },
  commandId: 'c',
  bodyHash: null,
  correlation: '',
  source: 'ui',
}

describe('an estimate of an audience', () => {
  type Asked = Parameters<typeof calls.audienceSize>[1]
  const size = (asked: Asked) => calls.audienceSize(CALLER, asked)

  // covers CAM-EST-01
  it.each<readonly [string, Asked]>([
    ['an interest', { interests: { includeAny: ['sports'] } }],
    ['an app', { apps: { include: ['whatsapp'] } }],
    ['an audience', { segment_audiences: { include: ['one'] } }],
    ['a gender', { gender: 2 }],
    ['a lowest age', { fromAge: 30 }],
    ['a highest age', { toAge: 30 }],
    ['a city', { city_ids: ['lagos'] }],
    ['a region', { regions: ['lagos'] }],
  ])('an estimate of an audience is narrowed by %s', async (_, narrower) => {
    const all = await size({ country: 'NG' })
    expect(all).toMatchObject({ status: 'ok', estimate: all.total, estimate_impressions: all.total_impressions })
    expect(all.total_impressions).toBeGreaterThan(all.total)
    expect((await size({ country: 'NG', ...narrower })).total).toBeLessThan(all.total)
  })

  it('an estimate of an audience has fewer impressions for a lower bid, and more people without a country', async () => {
    const all = await size({ country: 'NG' })
    expect((await size({ country: 'NG', cpm: 0.1 })).total_impressions).toBeLessThan(all.total_impressions)
    expect((await size({})).total).toBeGreaterThan(all.total)
  })

  // covers CAM-EST-06
  it('counts the members of an audience, widened by similarity', async () => {
    const of = async (asked: Asked) => (await size({ country: 'NG', similarity: 0, ...asked })).total
    expect(await of({ segment_audiences: { include: ['a'] } })).toBe(40)
    expect(await of({ segment_audiences: { includeAny: ['a'] }, similarity: 3 })).toBe(80)
    expect(await of({ segment_audiences: { include: ['a'] }, gender: 2 })).toBeLessThan(40)
    expect(await of({ segment_audiences: { exclude: ['a'] } })).toBe((await of({})) - 40)
  })

  it('an estimate of an audience has the country of the campaign by default, and refuses an unknown one', async () => {
    expect(await size({ campaign_id: 'c' })).toEqual(await size({ country: 'AM' }))
    await expect(size({ country: 'XX' })).rejects.toMatchObject({ rejection: { code: 190 } })
  })
})

it('an estimate of placements is narrowed by each of them', async () => {
  const ask = (asked: Parameters<typeof calls.placements>[1]) => calls.placements(CALLER, { country: 'NG', ...asked })
  const all = await ask({})
  expect(all).toMatchObject({ status: 'ok', estimate: all.total })
  for (const narrower of [
    { device_type_key: 3 as const },
    { environment: 'web' as const },
    { excluded_all_games: true },
    { min_os_version: '10.1' },
  ])
    expect((await ask(narrower)).total).toBeLessThan(all.total)
})

describe('the list of placements', () => {
  type Asked = Parameters<typeof calls.places>[1]
  const ask = (asked: Asked = {}) => calls.places(CALLER, { country: 'NG', ...asked })

  // covers CAM-REP-14 CONST-41 REP-01 REP-03..10
  it('the list of placements has all keys, and is sorted by impressions, the most first unless asked otherwise', async () => {
    const all = await ask()
    expect(Object.keys(all.data[0] ?? {})).toEqual(
      expect.arrayContaining(['name', 'site_or_app', 'exchange_id', 'os', 'interstitial', 'user_count', 'impression_count']),
    )
    expect(Object.keys(all.data[0] ?? {})).toEqual(
      expect.arrayContaining(['creative_position', 'creative_type', 'creative_size']),
    )
    const counts = all.data.map((place) => place.impression_count)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    expect((await ask({ order: 'high_to_low' })).data).toEqual(all.data)
    const rising = (await ask({ order: 'low_to_high' })).data.map((place) => place.impression_count)
    expect(rising).toEqual(rising.toSorted((a, b) => a - b))
    expect((await ask({ country: 'EG' })).data[0]?.user_count).not.toBe(all.data[0]?.user_count)
  })

  it.each(['category', 'creative_position', 'creative_type', 'creative_size'] as const)(
    'the list of placements is narrowed by %s',
    async (key) => {
      const all = await ask()
      const value = all.data[0]?.[key]
      const some = await ask({ filters: { [key]: value } })
      expect(some.total_size).toBeLessThan(all.total_size)
      expect(some.data.every((place) => place[key] === value)).toBe(true)
    },
  )

  it('the list of placements is narrowed by the environment: apps and sites are all of it', async () => {
    const [app, site] = [await ask({ filters: { environment: 'app' } }), await ask({ filters: { environment: 'site' } })]
    expect(app.total_size + site.total_size).toBe((await ask()).total_size)
    expect(new Set(app.data.map((place) => place.site_or_app))).toEqual(new Set(['app']))
    expect(new Set(site.data.map((place) => `${place.site_or_app} ${place.os}`))).toEqual(new Set(['site Web']))
    expect((await ask({ filters: { environment: 'web' } })).data).toEqual(site.data)
  })

  it('the list of placements is narrowed by a part of the name, and comes in pages of 150', async () => {
    const named = (await ask({ name: 'whats' })).data.map(({ name }) => name)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !/whats/i.test(name))).toEqual([])
    const [first, next] = [await ask(), await ask({ page: 1 })]
    expect([first.page_size, first.data.length, next.data.length]).toEqual([150, 150, first.total_size - 150])
    expect(first.data).not.toContainEqual(next.data[0])
  })
})
