import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DIMENSIONS, MEASURES, type Fact } from '#domain/delivery/batch'
import type { FactBatch, FactFilter, FactStore, FactSums, Grouping, TimeGrouping } from '#factstore/fact-store'
import { TIME_GROUPINGS } from '#factstore/fact-store'

export type FactStoreUnderTest = {
  readonly store: FactStore
  /** The same store as another process opens it. */
  readonly another: () => FactStore
  /** The same store in a process that crashes at this step of storing a batch of two months, counting from zero. */
  readonly crashing?: (step: number) => FactStore
  readonly stop: () => Promise<void>
}

const HOUR_MS = 3_600_000
const FIRST = Date.UTC(2026, 9, 30)
const HOURS = 24 * 5
const hourOf = (n: number): string => new Date(FIRST + n * HOUR_MS).toISOString()

let made = 0
/** Ids that no other run of a property uses: the store outlives them. */
export const fresh = (what: string): string => `${what}-${process.pid}-${(made += 1)}`

type World = { readonly whitelabel: string; readonly spaces: readonly string[]; readonly campaigns: readonly string[] }
export const world = (): World => ({
  whitelabel: fresh('wl'),
  spaces: [fresh('space'), fresh('space')],
  campaigns: [fresh('campaign'), fresh('campaign'), fresh('campaign')],
})

const counts = fc.record(
  Object.fromEntries([...MEASURES, 'billed', 'overdelivered'].map((name) => [name, fc.nat({ max: 1000 })])) as Record<
    (typeof MEASURES)[number] | 'billed' | 'overdelivered',
    fc.Arbitrary<number>
  >,
)

export const factIn = ({ whitelabel, spaces, campaigns }: World): fc.Arbitrary<Fact> =>
  fc
    .record({
      hour: fc.integer({ min: 0, max: HOURS - 1 }),
      campaign: fc.nat({ max: campaigns.length - 1 }),
      creative_id: fc.constantFrom('creative-a', 'creative-b'),
      size: fc.constantFrom('300x250', '728x90', ''),
      exchange: fc.constantFrom('google', 'verve'),
      publisher: fc.constantFrom('news', 'o\'reilly \\ "q"', 'ночь'),
      app_or_site: fc.constantFrom('app.one', 'site.example'),
      device_type_key: fc.constantFrom(2, 3, 5),
      os: fc.constantFrom('Android', 'iOS'),
      country: fc.constantFrom('NG', 'AM'),
      region: fc.constantFrom('Lagos', ''),
      city: fc.constantFrom('Ikeja', 'Երևան'),
      counts,
    })
    .map(({ hour, campaign, counts: { billed, overdelivered, ...measures }, ...dimensions }) => ({
      hour: hourOf(hour),
      campaign_id: campaigns[campaign] ?? '',
      space_id: spaces[campaign % spaces.length] ?? '',
      whitelabel_id: whitelabel,
      ...dimensions,
      ...measures,
      spent: billed + overdelivered,
      billed,
      overdelivered,
    }))

const filterIn = ({ whitelabel, spaces, campaigns }: World): fc.Arbitrary<FactFilter> => {
  const bound = fc.option(
    fc.oneof(
      fc.integer({ min: -1, max: HOURS / 24 + 1 }).map((day) => hourOf(day * 24)),
      fc.integer({ min: 0, max: HOURS }).map(hourOf),
      fc.integer({ min: 0, max: 5 }).map((day) => new Date(FIRST + day * 24 * HOUR_MS - 1).toISOString()),
    ),
  )
  return fc.record({
    scope: fc.oneof(
      fc.constant({ kind: 'whitelabel' as const, id: whitelabel }),
      fc.subarray([...spaces]).map((ids) => ({ kind: 'spaces' as const, ids })),
      fc.subarray([...campaigns]).map((ids) => ({ kind: 'campaigns' as const, ids })),
    ),
    from: bound,
    to: bound,
    deviceTypeKey: fc.option(fc.constantFrom(2, 3, 9)),
    size: fc.option(fc.constantFrom('300x250', '')),
    publisher: fc.option(fc.constantFrom('news', 'ночь')),
  })
}

const GROUPINGS: readonly Grouping[] = [...DIMENSIONS, 'space_id', 'campaign_id', ...TIME_GROUPINGS]

// ── The model: plain loops over the facts of distinct batches ──

const matches = (filter: FactFilter, fact: Fact): boolean => {
  const { scope, from, to, deviceTypeKey = null, size = null, publisher = null } = filter
  return (
    (scope.kind === 'all' ||
      (scope.kind === 'whitelabel' && fact.whitelabel_id === scope.id) ||
      (scope.kind === 'spaces' && scope.ids.includes(fact.space_id)) ||
      (scope.kind === 'campaigns' && scope.ids.includes(fact.campaign_id))) &&
    (from === null || fact.hour >= from) &&
    (to === null || fact.hour < to) &&
    (deviceTypeKey === null || fact.device_type_key === deviceTypeKey) &&
    (size === null || fact.size === size) &&
    (publisher === null || fact.publisher === publisher)
  )
}

const sum = (facts: readonly Fact[]): FactSums =>
  Object.fromEntries(
    [...MEASURES, 'spent' as const, 'overdelivered' as const].map((name) => [
      name,
      facts.reduce((total, fact) => total + (name === 'spent' ? fact.billed : fact[name]), 0),
    ]),
  ) as unknown as FactSums

function by<K>(facts: readonly Fact[], key: (fact: Fact) => K): ReadonlyMap<K, FactSums> {
  const groups = new Map<K, Fact[]>()
  for (const fact of facts) groups.set(key(fact), [...(groups.get(key(fact)) ?? []), fact])
  return new Map([...groups].map(([name, found]) => [name, sum(found)]))
}

/** ISO week of a UTC day: that of its Thursday. */
function isoWeek(time: Date): string {
  const thursday = new Date(time)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const week = Math.floor((thursday.getTime() - first) / (7 * 24 * HOUR_MS)) + 1
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}

const timeKeys: Readonly<Record<TimeGrouping, (time: Date) => string>> = {
  year: (time) => time.toISOString().slice(0, 4),
  quarter: (time) => `${time.toISOString().slice(0, 4)}-Q${Math.floor(time.getUTCMonth() / 3) + 1}`,
  month: (time) => time.toISOString().slice(0, 7),
  week: isoWeek,
  day: (time) => time.toISOString().slice(0, 10),
  day_of_week: (time) => String(time.getUTCDay() || 7),
  hour: (time) => time.toISOString().slice(11, 13),
}

const keyOf = (grouping: Grouping, fact: Fact): string =>
  grouping in timeKeys ? timeKeys[grouping as TimeGrouping](new Date(fact.hour)) : String(fact[grouping as keyof Fact])

const periodOf = (hour: string, step: 'hour' | 'day'): number => {
  const length = step === 'hour' ? HOUR_MS : 24 * HOUR_MS
  return Math.floor(Date.parse(hour) / length) * length
}

/** Points of each campaign by UTC day, in order of time. */
const daysOf = (facts: readonly Fact[]) =>
  new Map(
    [...new Set(facts.map(({ campaign_id }) => campaign_id))].map((id) => {
      const own = by(
        facts.filter(({ campaign_id }) => campaign_id === id),
        ({ hour }) => periodOf(hour, 'day'),
      )
      return [id, [...own].map(([start, sums]) => ({ start, sums })).toSorted((a, b) => a.start - b.start)]
    }),
  )

export async function expectSame(
  store: FactStore,
  facts: readonly Fact[],
  filter: FactFilter,
  grouping: Grouping,
): Promise<void> {
  const found = facts.filter((fact) => matches(filter, fact))
  expect(await store.totals(filter)).toEqual(sum(found))
  for (const step of ['hour', 'day'] as const)
    expect(new Map((await store.series(filter, step)).map(({ start, sums }) => [start, sums]))).toEqual(
      by(found, ({ hour }) => periodOf(hour, step)),
    )
  expect(await store.byCampaign(filter)).toEqual(by(found, (fact) => fact.campaign_id))
  expect(await store.daysByCampaign(filter)).toEqual(daysOf(found))
  const groups = await store.groups(filter, grouping)
  const wanted = by(found, (fact) => keyOf(grouping, fact))
  expect(new Map(groups.rows.map(({ key, sums }) => [key, sums]))).toEqual(wanted)
  expect(groups.total).toBe(wanted.size)
  expect(groups.rows.map(({ sums }) => sums.spent)).toEqual(groups.rows.map(({ sums }) => sums.spent).toSorted((a, b) => b - a))
  const sources = []
  for await (const page of store.sources(filter)) sources.push(...page)
  expect(new Map(sources.map(({ sums, ...source }) => [JSON.stringify(Object.values(source)), sums]))).toEqual(
    by(found, ({ exchange, publisher, app_or_site }) => JSON.stringify([exchange, publisher, app_or_site])),
  )
}

export const ALL = (own: World): FactFilter => ({ scope: { kind: 'whitelabel', id: own.whitelabel }, from: null, to: null })

type Amount = {
  /** Runs of the property. */
  readonly runs?: number
  /** Places where `crashing` can fail. */
  readonly steps?: number
}

/** Sums every day that is due; returns how many. */
export async function rollUp({ rollUp: next }: Pick<FactStore, 'rollUp'>): Promise<number> {
  let days = 0
  while ((await next?.()) === true) days += 1
  return days
}

/** Promises of every fact store. */
export function factStoreContract(name: string, open: () => Promise<FactStoreUnderTest>, amount: Amount = {}): void {
  const { runs = 25, steps = 0 } = amount
  describe(`a fact store on ${name}`, () => {
    let opened: FactStoreUnderTest
    let store: FactStore
    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })
    afterAll(() => opened.stop())

    it('sums random batches like a loop over their rows, for any filter and grouping', async () => {
      const reached = { filtered: 0, partial: 0, found: 0, rolledUp: store.rollUp === undefined ? 1 : 0 }
      await fc.assert(
        fc.asyncProperty(fc.constant(null).map(world), fc.gen(), async (own, gen) => {
          const facts: Fact[] = []
          const batches = gen(() => fc.array(fc.array(factIn(own), { maxLength: 12 }), { minLength: 1, maxLength: 4 }))
          for (const batch of batches) {
            const stored: FactBatch = { id: fresh('batch'), facts: batch }
            await store.store(stored)
            // A repeat changes nothing.
            await store.store(stored)
            facts.push(...batch)
            if (gen(() => fc.boolean())) reached.rolledUp += await rollUp(store)
          }
          for (const filter of gen(() => fc.array(filterIn(own), { minLength: 3, maxLength: 3 }))) {
            await expectSame(
              store,
              facts,
              filter,
              gen(() => fc.constantFrom(...GROUPINGS)),
            )
            reached.filtered += filter.deviceTypeKey !== null || filter.size !== null || filter.publisher !== null ? 1 : 0
            reached.partial += filter.from !== null && Date.parse(filter.from) % (24 * HOUR_MS) !== 0 ? 1 : 0
            reached.found += facts.some((fact) => matches(filter, fact)) ? 1 : 0
          }
        }),
        { endOnFailure: true, numRuns: runs },
      )
      for (const count of Object.values(reached)) expect(count).toBeGreaterThan(0)
    })

    it.each(GROUPINGS)('groups by %s', async (grouping) => {
      const own = world()
      const facts = fc.sample(factIn(own), { numRuns: 60, seed: 11 })
      await store.store({ id: fresh('batch'), facts })
      await rollUp(store)
      await expectSame(store, facts, ALL(own), grouping)
      await expectSame(store, facts, { ...ALL(own), deviceTypeKey: 3 }, grouping)
    })

    it('counts the days around a new year to the weeks of ISO 8601', async () => {
      const own = world()
      const weeks = [
        ['2024-12-29', '2024-W52'],
        ['2024-12-30', '2025-W01'],
        ['2026-12-31', '2026-W53'],
        ['2027-01-03', '2026-W53'],
        ['2027-01-04', '2027-W01'],
      ] as const
      const [fact] = fc.sample(factIn(own), { numRuns: 1, seed: 13 })
      if (fact === undefined) throw new Error('no fact')
      const facts = weeks.map(([day], n) => ({ ...fact, hour: `${day}T12:00:00.000Z`, impressions: 10 ** n }))
      await store.store({ id: fresh('batch'), facts })
      const groups = await store.groups(ALL(own), 'week')
      const wanted = new Map<string, number>()
      for (const [n, [, week]] of weeks.entries()) wanted.set(week, (wanted.get(week) ?? 0) + 10 ** n)
      expect(new Map(groups.rows.map(({ key, sums }) => [key, sums.impressions]))).toEqual(wanted)
    })

    it('counts a batch once that is stored ten times at once', async () => {
      const own = world()
      const facts = fc.sample(factIn(own), { numRuns: 30, seed: 12 })
      const id = fresh('batch')
      await Promise.all(Array.from({ length: 10 }, () => store.store({ id, facts })))
      expect(await store.totals(ALL(own))).toEqual(sum(facts))
    })

    it('counts a batch once that two processes store at once', async () => {
      const own = world()
      const stores = [store, opened.another()]
      const batches = Array.from({ length: 8 }, (_, i) => ({
        id: fresh('batch'),
        facts: fc.sample(factIn(own), { numRuns: 20, seed: 40 + i }),
      }))
      await Promise.all(batches.flatMap((batch) => stores.map((each) => each.store(batch))))
      const facts = batches.flatMap((batch) => batch.facts)
      await expectSame(store, facts, ALL(own), 'exchange')
      await expectSame(store, facts, ALL(own), 'hour')
      await stores[1]?.close()
    })

    it.each(Array.from({ length: steps }, (_, step) => step))(
      'counts a batch once after a crash at step %d, however the repeats come',
      async (step) => {
        const own = world()
        const facts = fc.sample(factIn(own), { numRuns: 30, seed: 50 + step })
        expect(new Set(facts.map(({ hour }) => hour.slice(0, 7))).size).toBe(2)
        const batch = { id: fresh('batch'), facts }
        await expect(opened.crashing?.(step).store(batch)).rejects.toThrow('crash')
        const other = { id: fresh('batch'), facts: fc.sample(factIn(own), { numRuns: 5, seed: 70 + step }) }
        await store.store(other)
        await Promise.all([store.store(batch), store.store(batch)])
        await store.store(batch)
        await expectSame(store, [...facts, ...other.facts], ALL(own), 'publisher')
      },
    )

    it('stores a batch of 5,000 rows over two months', async () => {
      const own = world()
      const facts = fc.sample(factIn(own), { numRuns: 5000, seed: 15 })
      await store.store({ id: fresh('batch'), facts })
      for (const grouping of ['city', 'month', 'hour'] as const) await expectSame(store, facts, ALL(own), grouping)
    })

    it('loses nothing of batches that are stored at once and share their keys', async () => {
      const own = world()
      const batches = Array.from({ length: 16 }, (_, i) => fc.sample(factIn(own), { numRuns: 25, seed: 13 + i }))
      await Promise.all(batches.map((facts) => store.store({ id: fresh('batch'), facts })))
      const facts = batches.flat()
      expect(await store.totals(ALL(own))).toEqual(sum(facts))
      await expectSame(store, facts, { ...ALL(own), size: '300x250' }, 'exchange')
    })

    it('adds late rows to the periods they belong to', async () => {
      const own = world()
      const [early = [], late = []] = [1, 2].map((seed) => fc.sample(factIn(own), { numRuns: 20, seed }))
      await store.store({ id: fresh('batch'), facts: early })
      await rollUp(store)
      await expectSame(store, early, ALL(own), 'day')
      await store.store({ id: fresh('batch'), facts: late })
      await expectSame(store, [...early, ...late], ALL(own), 'day')
    })

    it('stores nothing for an empty batch, and remembers it', async () => {
      const own = world()
      const id = fresh('batch')
      await store.store({ id, facts: [] })
      await store.store({ id, facts: fc.sample(factIn(own), { numRuns: 5, seed: 3 }) })
      expect(await store.totals(ALL(own))).toEqual(sum([]))
    })

    it('pages groups', async () => {
      const own = world()
      const facts = fc.sample(factIn(own), { numRuns: 80, seed: 14 })
      await store.store({ id: fresh('batch'), facts })
      const whole = await store.groups(ALL(own), 'day')
      const pages = await Promise.all(
        Array.from({ length: whole.total }, (_, offset) => store.groups(ALL(own), 'day', { offset, limit: 1 })),
      )
      expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.rows)
      expect(pages.every(({ total }) => total === whole.total)).toBe(true)
    })
  })
}
