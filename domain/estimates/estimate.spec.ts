import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reached, type Audience } from './audience.ts'
import { estimateOf, METHOD_VERSION, type Market } from './estimate.ts'
import { both, count, either, everybody, PANEL_SIZE, share, without } from './panel.ts'
import { reachedBy, type Placement } from './placement.ts'

const none = { includeAny: [], include: [], exclude: [] }
const everyone: Audience = {
  apps: none,
  interests: none,
  gender: 1,
  fromAge: 18,
  toAge: 65,
  similarity: 1,
  regions: [],
  target_languages: [],
  connection_types: [],
  customer_attributes: [],
}
const anywhere: Placement = {
  device_type_key: 1,
  environment: null,
  min_os_version: null,
  included_apps: [],
  excluded_apps: [],
  excluded_all_games: false,
  exclude_non_gambling_publishers: false,
  included_app_category_ids: [],
  excluded_app_category_ids: [],
  excluded_game_category_ids: [],
  languages: [],
}
const nigeria: Market = { country: 'NG', reachable: 1, cpm: 0.35, currency: 'USD' }
const size = (over: Partial<Audience>) => count(reached({ ...everyone, ...over }))
const room = (over: Partial<Placement>) => count(reachedBy({ ...anywhere, ...over }))

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const keys = fc.uniqueArray(key, { maxLength: 4 })
const selection = fc.record({ includeAny: keys, include: keys, exclude: keys })
const audience = fc.record({
  apps: selection,
  interests: selection,
  gender: fc.constantFrom(1, 2, 3),
  fromAge: fc.integer({ min: 18, max: 40 }),
  toAge: fc.integer({ min: 41, max: 65 }),
  similarity: fc.integer({ min: 0, max: 3 }),
  regions: fc.uniqueArray(fc.constantFrom('lagos', 'west', 'north_west')),
  target_languages: fc.uniqueArray(fc.constantFrom('english', 'hausa', 'french')),
  connection_types: fc.uniqueArray(fc.constantFrom('2g', '3g', '4g')),
  customer_attributes: fc.uniqueArray(fc.constantFrom('gold', 'new', 'ivory')),
})

describe('an audience estimate', () => {
  it('never grows with a narrower question, and never shrinks with a wider one', () => {
    fc.assert(
      fc.property(audience, key, (asked, more) => {
        const people = size(asked)
        const narrower: Partial<Audience>[] = [
          { interests: { ...asked.interests, exclude: [...asked.interests.exclude, more] } },
          { apps: { ...asked.apps, include: [...asked.apps.include, more] } },
          { fromAge: asked.fromAge + 1 },
          { toAge: asked.toAge - 1 },
          { similarity: Math.max(0, asked.similarity - 1) },
          ...(asked.gender === 1 ? [{ gender: 2 }] : []),
          ...(asked.regions.length === 0 ? [{ regions: ['west'] }] : []),
          ...(asked.apps.includeAny.length === 0 ? [{ apps: { ...asked.apps, includeAny: [more] } }] : []),
        ]
        for (const change of narrower) expect(size({ ...asked, ...change })).toBeLessThanOrEqual(people)
        const wider: Partial<Audience>[] = [
          { similarity: Math.min(3, asked.similarity + 1) },
          ...(asked.interests.includeAny.length > 0
            ? [{ interests: { ...asked.interests, includeAny: [...asked.interests.includeAny, more] } }]
            : []),
          ...(asked.connection_types.length > 0 ? [{ connection_types: [...asked.connection_types, '5g'] }] : []),
        ]
        for (const change of wider) expect(size({ ...asked, ...change })).toBeGreaterThanOrEqual(people)
      }),
      { numRuns: 150 },
    )
  })

  it('an audience estimate is the same for the same question on every machine', () => {
    const asked = { interests: { ...none, includeAny: ['sports'] }, gender: 3, fromAge: 25, toAge: 34 }
    expect([METHOD_VERSION, PANEL_SIZE, size({}), size(asked), room({ device_type_key: 4, excluded_all_games: true })]).toEqual(
      PINNED,
    )
  })

  it('splits people by gender, region and age without gaps or overlaps', () => {
    expect(size({ gender: 2 }) + size({ gender: 3 })).toBe(PANEL_SIZE)
    const regions = ['lagos', 'west', 'north_west', 'north_east', 'south_south', 'south_east']
    expect(regions.map((region) => size({ regions: [region] })).reduce((a, b) => a + b)).toBe(size({ regions }))
    expect(size({ fromAge: 18, toAge: 34 }) + size({ fromAge: 35, toAge: 65 })).toBe(PANEL_SIZE)
  })

  it('grows with each step of similarity when the question has a condition', () => {
    const sizes = [0, 1, 2, 3].map((similarity) => size({ similarity, interests: { ...none, includeAny: ['sports'] } }))
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b))
  })

  it('counts people with any of includeAny, all of include and none of exclude', () => {
    const [a, b] = [size({ interests: { ...none, include: ['a'] } }), size({ interests: { ...none, include: ['b'] } })]
    const [any, all] = [
      size({ interests: { ...none, includeAny: ['a', 'b'] } }),
      size({ interests: { ...none, include: ['a', 'b'] } }),
    ]
    expect(any).toBe(a + b - all)
    expect(size({ similarity: 0, interests: { ...none, include: ['a'], exclude: ['a'] } })).toBe(0)
  })
})

describe('a placement estimate', () => {
  it('never grows when placements are removed', () => {
    const placement = fc.record({
      device_type_key: fc.constantFrom(1, 3, 4),
      environment: fc.constantFrom(null, 'app', 'web'),
      min_os_version: fc.constantFrom(null, '6.0', '12'),
      included_apps: keys,
      excluded_apps: keys,
      excluded_all_games: fc.boolean(),
      exclude_non_gambling_publishers: fc.boolean(),
      included_app_category_ids: keys,
      excluded_app_category_ids: keys,
      excluded_game_category_ids: keys,
      languages: keys,
    })
    fc.assert(
      fc.property(placement, key, (asked, more) => {
        const people = room(asked)
        const narrower: Partial<Placement>[] = [
          { excluded_apps: [...asked.excluded_apps, more] },
          { excluded_app_category_ids: [...asked.excluded_app_category_ids, more] },
          { excluded_game_category_ids: [...asked.excluded_game_category_ids, more] },
          { excluded_all_games: true },
          { exclude_non_gambling_publishers: true },
          { min_os_version: '14' },
          ...(asked.environment === null ? [{ environment: 'web' }] : []),
          ...(asked.device_type_key === 1 ? [{ device_type_key: 3 }] : []),
        ]
        for (const change of narrower) expect(room({ ...asked, ...change })).toBeLessThanOrEqual(people)
      }),
      { numRuns: 150 },
    )
  })

  it('covers everyone with iOS and Android together', () => {
    expect(room({ device_type_key: 3 }) + room({ device_type_key: 4 })).toBe(PANEL_SIZE)
  })
})

describe('the scale of a panel', () => {
  it('gives a number of people between its bounds, and impressions that grow with the bid', () => {
    const people = reached({ ...everyone, interests: { ...none, includeAny: ['a'] } })
    const [low, high] = [estimateOf(people, { ...nigeria, cpm: 0.1 }), estimateOf(people, { ...nigeria, cpm: 1 })]
    expect(low.total).toBe(high.total)
    expect(low.total_impressions).toBeLessThan(high.total_impressions)
    expect(low.estimate_low).toBeLessThan(low.total)
    expect(low.estimate_high).toBeGreaterThan(low.total)
    expect(low).toMatchObject({ estimate: low.total, estimate_impressions: low.total_impressions, status: 'ok' })
  })

  it('the scale of a panel is zero, and reported as unknown, for a country without figures', () => {
    expect(estimateOf(everybody(), { ...nigeria, country: 'BV' })).toMatchObject({
      total: 0,
      estimate_high: 0,
      status: 'no_data',
    })
  })

  it('the scale of a panel is a share of the country for some of its cities', () => {
    const half = estimateOf(everybody(), { ...nigeria, reachable: 0.5 })
    expect(half.total * 2).toBeCloseTo(estimateOf(everybody(), nigeria).total, -1)
  })
})

describe('sets of the panel', () => {
  it('sets of the panel obey the laws of sets', () => {
    const [a, b] = [share('one', 0.3), share('other', 0.6)]
    expect(count(either(a, b)) + count(both(a, b))).toBe(count(a) + count(b))
    expect(count(without(a, b)) + count(both(a, b))).toBe(count(a))
    expect(count(everybody())).toBe(PANEL_SIZE)
    expect(count(without(share('one', 0.2), a))).toBe(0)
  })

  it('sets of the panel have about the requested share', () => {
    for (const part of [0.01, 0.1, 0.5, 0.9]) expect(count(share('some', part)) / PANEL_SIZE).toBeCloseTo(part, 1.9)
  })
})

/**
 * Method version, panel, everyone, a group, a placement. A different number means a different method, which needs a new
 * version.
 */
const PINNED = ['2', 32_768, 32_768, 386, 20_965]
