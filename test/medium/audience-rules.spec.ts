import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { VISITOR_FILTERS, visitorRuleFaults, type VisitorField } from '#domain/audience/visitor-rules'
import type { Rule, RuleGroup } from '#domain/campaign/content/content'
import { createAudienceVisitors } from '#platform/audience/audience-visitors'
import { createKysely } from '#platform/database/pool'
import { migrateToLatest } from '#migrations/index'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 20, 12)

type Seen = {
  readonly visitor: string
  readonly name: string
  readonly at: number
  readonly value: number | null
  readonly url: string | null
  readonly model: string | null
  readonly source: 'pixel' | 'server'
  readonly isConversion: boolean
}

const event: fc.Arbitrary<Seen> = fc.record({
  visitor: fc.constantFrom('v1', 'v2', 'v3', 'v4', 'v5', 'v6'),
  name: fc.constantFrom('page_view', 'search', 'Purchase'),
  // Around the ends of the windows, and in the future.
  at: fc.constantFrom(-3, -0.1, 0, 0.5, 1, 1.5, 6.9, 7, 7.1, 29.5, 30.5, 100).map((days) => NOW - days * DAY_MS),
  value: fc.option(fc.constantFrom(0.1, 0.2, 10, 49.9)),
  url: fc.option(
    fc.constantFrom('https://nile.example/luxor', 'https://nile.example/', 'https://nile.example/luxor/by-river?x=1'),
  ),
  model: fc.option(fc.constantFrom('iPhone', 'Pixel 9')),
  source: fc.constantFrom('pixel', 'server'),
  isConversion: fc.boolean(),
})

const FIELDS = Object.keys(VISITOR_FILTERS) as VisitorField[]
const rule: fc.Arbitrary<Rule> = fc.constantFrom(...FIELDS).chain((field) => {
  const { kind, operators } = VISITOR_FILTERS[field]
  const texts = field.startsWith('event')
    ? ['search', 'purchase', 'nothing']
    : field === 'page'
      ? ['nile.example', 'nile.example/luxor', 'nile.example/aswan']
      : ['iPhone', 'pixel 9', 'Nokia']
  const value: fc.Arbitrary<Rule['value']> =
    kind === 'text'
      ? fc.constantFrom(...texts)
      : kind === 'choice'
        ? fc.constantFrom('pixel', 'server')
        : kind === 'decimal'
          ? fc.constantFrom(0, 0.3, 10, 49.9)
          : fc.constantFrom(0, 1, 2, 7, 30)
  return fc.record({ field: fc.constant(field), operator: fc.constantFrom(...operators), value })
})
const rules = fc.letrec<{ readonly group: RuleGroup }>((tie) => ({
  group: fc.record({
    condition: fc.constantFrom('and', 'or'),
    rules: fc.array(fc.oneof({ depthSize: 'small' }, rule, tie('group')), { minLength: 1, maxLength: 3 }),
  }),
})).group

/** The rules read word by word over all events of one visitor: slow, and without the product's code. */
function naive(node: Rule | RuleGroup, events: readonly Seen[]): boolean {
  if ('rules' in node) {
    const each = node.rules.map((one) => naive(one, events))
    return each.length === 0 || (node.condition === 'and' ? !each.includes(false) : each.includes(true))
  }
  const { field, operator, value } = node
  const [, what = '', days = ''] = /^(.*?)(?:_(\d+)d|_total)?$/.exec(field) ?? []
  const within = days === '' ? events : events.filter(({ at }) => at > NOW - Number(days) * DAY_MS)
  const ages = events.map(({ at }) => Math.floor((NOW - at) / DAY_MS))
  const numbers: Readonly<Record<string, number>> = {
    events: within.length,
    conversions: within.filter((one) => one.isConversion).length,
    // In tenths, as the values have one decimal.
    value: within.reduce((sum, one) => sum + Math.round((one.value ?? 0) * 10), 0) / 10,
    days_since_first: Math.max(...ages),
    days_since_last: Math.min(...ages),
  }
  const number = numbers[what]
  if (number !== undefined)
    return operator === 'is' ? number === value : operator === 'is_more_than' ? number > Number(value) : number < Number(value)
  const pages = (url: string) => {
    const bare = url.replace('https://', '').replace(/\?.*/, '').replace(/\/$/, '')
    return bare.split('/').map((_, n, parts) => parts.slice(0, n + 1).join('/'))
  }
  const texts =
    what === 'event'
      ? within.map(({ name }) => name)
      : what === 'page'
        ? events.flatMap(({ url }) => (url === null ? [] : pages(url)))
        : what === 'source'
          ? events.map(({ source }) => source)
          : events.flatMap(({ model }) => model ?? [])
  const found = texts.some((text) => text.toLowerCase() === String(value).toLowerCase())
  return operator === 'is' ? found : !found
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await migrateToLatest(createKysely(database.pool))
})
afterAll(() => database.drop())

it('rules select the visitors that a naive evaluator selects', async () => {
  const db = createKysely(database.pool)
  const visitors = createAudienceVisitors(db)
  const seen = { matched: 0, missed: 0, nested: 0, fields: new Set<string>() }
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { size: 'max', maxLength: 25 }),
      fc.array(rules, { minLength: 1, maxLength: 6 }),
      async (events, groups) => {
        run += 1
        const spaceId = `space ${run}`
        for (const [n, one] of events.entries())
          await database.pool.query(
            `insert into app.tracked_events
             (space_id, id, whitelabel_id, name, time, value, device_model, url, custom_parameters, source, conversion, visitor)
           values ($1, $2, 'w', $3, $4, $5, $6, $7, '{}', $8, $9, $10)`,
            [
              spaceId,
              `e${n}`,
              one.name,
              new Date(one.at),
              one.value,
              one.model,
              one.url,
              one.source,
              one.isConversion ? '{}' : null,
              one.visitor,
            ],
          )
        // Events without a visitor have their own id, and nothing reaches those.
        await database.pool.query(
          `insert into app.tracked_events (space_id, id, whitelabel_id, name, time, custom_parameters, source, visitor)
         values ($1, 'alone', 'w', 'search', $2, '{}', 'pixel', 'alone')`,
          [spaceId, new Date(NOW)],
        )
        const past = events.filter(({ at }) => at <= NOW)
        const all = [...new Set(past.map(({ visitor }) => visitor))].sort()
        for (const group of groups) {
          expect(visitorRuleFaults(group)).toEqual([])
          const found: string[] = []
          const count = await visitors.each({ spaceId, rules: group, now: new Date(NOW).toISOString(), most: null }, (one) =>
            found.push(one),
          )
          const wanted = all.filter((visitor) =>
            naive(
              group,
              past.filter((one) => one.visitor === visitor),
            ),
          )
          expect([count, found]).toEqual([all.length, wanted])
          seen.matched += wanted.length
          seen.missed += all.length - wanted.length
          seen.nested += group.rules.some((one) => 'rules' in one) ? 1 : 0
          for (const one of group.rules) if ('field' in one) seen.fields.add(one.field)
        }
      },
    ),
    { endOnFailure: true, numRuns: 60 },
  )
  expect(seen.matched).toBeGreaterThan(100)
  expect(seen.missed).toBeGreaterThan(100)
  expect(seen.nested).toBeGreaterThan(20)
  expect(seen.fields.size).toBeGreaterThan(15)
})
