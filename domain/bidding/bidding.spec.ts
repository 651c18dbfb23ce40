import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rule, RuleGroup, TrafficEntry } from '../campaign/content/content.ts'
import { biddingFaults } from './bidding-faults.ts'
import { evaluateBid, explainGroup, type Facts } from './evaluate.ts'
import { FILTERS, filterOf, type Filter } from './filters.ts'
import { factsOf } from './impression.ts'
import { lintBidding } from './lint.ts'

const all = (...rules: RuleGroup['rules']): RuleGroup => ({ condition: 'and', rules })
const any = (...rules: RuleGroup['rules']): RuleGroup => ({ condition: 'or', rules })
const rule = (field: string, operator: string, value: Rule['value']): Rule => ({ field, operator, value })
const entry = (id: number, rules: RuleGroup, multiplier = 2): TrafficEntry => ({ id, name: `Bidding ${id}`, multiplier, rules })

const request = {
  imp: [
    {
      id: '1',
      banner: {
        format: [
          { w: 300, h: 250 },
          { w: 320, h: 50 },
        ],
        pos: 1,
      },
      instl: 0,
      rwdd: 1,
      bidfloor: 0.25,
      displaymanager: 'AdMob',
    },
  ],
  app: { bundle: 'com.nile.travel', name: 'Nile', content: { language: 'en' } },
  device: { os: 'ios', make: 'Apple', model: 'iPhone', connectiontype: 2, ip: '10.1.2.3' },
  user: { ext: { visits_7d: 3 } },
  ext: { exchange: 'google' },
}
const facts = factsOf(request, request.imp[0]!)
const holds = (one: Rule) => explainGroup(all(one), facts).holds

describe('bidding filters', () => {
  const operators = (field: string) => filterOf(field)?.operators
  const labels = (field: string) => filterOf(field)?.choices?.map(({ label }) => label)

  it.each([
    ['app', 'text', ['is', 'is_not']], // covers CAM-BID-20 CAM-BID-21
    ['site', 'text', ['is', 'is_not']], // covers CAM-BID-22 CAM-BID-23
    ['interstitial', 'flag', ['is']], // covers CAM-BID-27
    ['rewarded', 'flag', ['is']], // covers CAM-BID-28
    ['content_language', 'text', ['is']], // covers CAM-BID-31
    ['device_make', 'text', ['is']], // covers CAM-BID-32
    ['device_model', 'text', ['is']], // covers CAM-BID-33
    ['device_ip', 'ip', ['in_ip_range', 'not_in_ip_range']], // covers CAM-BID-36
    ['bid_floor', 'decimal', ['is', 'is_more_than', 'is_less_than']], // covers CAM-BID-43 CAM-BID-44
  ])('%s has the type %s and the operators %j', (field, kind, allowed) => {
    expect(filterOf(field)?.kind).toBe(kind)
    expect(operators(field)).toEqual(allowed)
  })

  it.each([
    ['creative_format', 'banner native video'], // covers CAM-BID-24
    ['creative_size', '970x90 728x90 320x50 300x250 300x100 250x250 300x600 160x600 240x400'], // covers CAM-BID-25
    ['environment', 'Web App'], // covers CAM-BID-29
    ['os', 'Android iOS Windows macOS'], // covers CAM-BID-30
    ['ad_exchange', 'Google Verve Taboola Yandex 3rdpresence'], // covers CAM-BID-37
    ['position', 'Unknown|Above the Fold|DEPRECATED|Below the Fold|Header|Footer|Sidebar|Full Screen'], // covers CAM-BID-26
    ['device_connection', 'Unknown|Ethernet|WIFI|Cellular unknown generation|2G|3G|4G'], // covers CAM-BID-34
  ])('%s offers the choices %s', (field, expected) => {
    expect(labels(field)).toEqual(expected.split(expected.includes('|') ? '|' : ' '))
    expect(operators(field)).toEqual(['is', 'is_not'])
    if (field === 'position' || field === 'device_connection')
      expect(filterOf(field)?.choices?.map(({ value }) => value)).toEqual(labels(field)?.map((_, index) => index))
  })

  // covers CAM-BID-38
  it('display_manager offers at least twenty names, each once', () => {
    expect(new Set(labels('display_manager')).size).toBe(labels('display_manager')?.length)
    expect(labels('display_manager')?.length).toBeGreaterThanOrEqual(20)
  })

  // covers CAM-BID-42
  it.each([
    'visits', // covers CAM-BID-39
    'impressions', // covers CAM-BID-40
    'clicks', // covers CAM-BID-41
  ])('%s have windows of 1 day, 7 days, 30 days and the total', (name) => {
    for (const window of ['1d', '7d', '30d', 'total']) {
      expect(filterOf(`${name}_${window}`)?.kind).toBe('integer')
      expect(operators(`${name}_${window}`)).toEqual(['is', 'is_more_than', 'is_less_than'])
    }
  })

  it.each([
    [rule('app', 'is', 'com.nile.travel'), true],
    [rule('app', 'is', 'nile'), true],
    [rule('app', 'is_not', 'com.other'), true],
    [rule('site', 'is', 'nile.example'), false],
    [rule('site', 'is_not', 'nile.example'), true],
    [rule('creative_format', 'is', 'banner'), true],
    [rule('creative_format', 'is', 'video'), false],
    [rule('creative_size', 'is', '320x50'), true],
    [rule('creative_size', 'is_not', '300x250'), false],
    [rule('position', 'is', 1), true],
    [rule('interstitial', 'is', false), true],
    [rule('rewarded', 'is', true), true],
    [rule('environment', 'is', 'App'), true],
    [rule('os', 'is', 'iOS'), true],
    [rule('os', 'equal', 'iOS'), true],
    [rule('content_language', 'is', 'EN'), true],
    [rule('device_make', 'is', 'apple'), true],
    [rule('device_model', 'is', 'Pixel'), false],
    [rule('device_connection', 'is', 2), true],
    [rule('device_ip', 'in_ip_range', '10.0.0.0/8'), true],
    [rule('device_ip', 'not_in_ip_range', '10.0.0.0/8'), false],
    [rule('ad_exchange', 'is', 'google'), true],
    [rule('display_manager', 'is', 'AdMob'), true],
    [rule('visits_7d', 'is', 3), true],
    [rule('visits_7d', 'is_more_than', 3), false],
    [rule('clicks_total', 'is_less_than', 1), true],
    [rule('impressions_1d', 'is', 0), true],
    [rule('bid_floor', 'is_more_than', 0.2), true],
    [rule('bid_floor', 'is_less_than', 0.25), false],
  ])('%j evaluates to %s', (one, expected) => expect(holds(one)).toBe(expected))

  it('address ranges match neither way for an impression without an address', () => {
    const { device_ip: _ip, ...nowhere } = facts
    for (const operator of ['in_ip_range', 'not_in_ip_range'])
      expect(explainGroup(all(rule('device_ip', operator, '0.0.0.0/0')), nowhere).holds).toBe(false)
  })
})

describe('bidding entries', () => {
  it('the first matching entry wins over later matches', () => {
    const entries = [entry(1, all(rule('os', 'is', 'Android'))), entry(2, all(rule('os', 'is', 'iOS')), 0), entry(3, all())]
    const bid = evaluateBid(entries, facts)
    expect([bid.entry?.id, bid.multiplier]).toEqual([2, 0])
    expect(bid.entries.map(({ explained }) => explained.holds)).toEqual([false, true, true])
    expect(bid.entries[0]?.explained.rules).toEqual([
      { kind: 'rule', field: 'os', operator: 'is', value: 'Android', actual: 'ios', holds: false },
    ])
  })

  it('the bid stays unchanged when no entry matches', () => {
    expect(evaluateBid([entry(1, all(rule('os', 'is', 'Android')))], facts)).toMatchObject({ entry: null, multiplier: 1 })
    expect(evaluateBid([], facts)).toMatchObject({ entry: null, multiplier: 1 })
  })

  it('groups can be nested', () => {
    const three = all(rule('os', 'is', 'iOS'), any(rule('app', 'is', 'x'), all(rule('rewarded', 'is', true), any())))
    expect(explainGroup(three, facts).holds).toBe(true)
    expect(explainGroup(all(three, rule('app', 'is', 'x')), facts).holds).toBe(false)
  })
})

describe('bidding faults', () => {
  // covers CAM-BID-45
  it('each filter accepts exactly its own operators and values', () => {
    const samples: Readonly<Record<Filter['kind'], readonly [Rule['value'], Rule['value']]>> = {
      text: ['x', ''],
      choice: ['', 'none of them'],
      flag: [true, 'yes'],
      integer: [2, 1.5],
      decimal: [0.25, 'x'],
      ip: ['10.0.0.0-10.0.0.255', 'abc'],
    }
    for (const [field, filter] of Object.entries<Filter>(FILTERS)) {
      const [sample, wrong] = samples[filter.kind]
      const value = filter.choices?.[0]?.value ?? sample
      for (const operator of [
        'is',
        'equal',
        'is_not',
        'in_ip_range',
        'not_in_ip_range',
        'is_more_than',
        'is_less_than',
        'like',
      ]) {
        const allowed = (filter.operators as readonly string[]).includes(operator === 'equal' ? 'is' : operator)
        expect([field, operator, biddingFaults([entry(1, all(rule(field, operator, value)))]).length]).toEqual([
          field,
          operator,
          allowed ? 0 : 1,
        ])
      }
      expect(biddingFaults([entry(1, all(rule(field, filter.operators[0] ?? '', wrong)))])).toMatchObject([
        { path: 'traffic_targeting[1].rules.rules[0].value', code: 2, tab: 'advancedBidding' },
      ])
    }
  })

  it('all faults are reported at once with their paths', () => {
    const broken = [{ ...entry(1, all(any(rule('moon', 'is', 'full')))), name: ' ' }, entry(1, all())]
    expect(biddingFaults(broken).map(({ path }) => path)).toEqual([
      'traffic_targeting[1].name',
      'traffic_targeting[1].rules.rules[0].rules[0].field',
      'traffic_targeting[1]',
    ])
  })
})

const value: Readonly<Record<string, fc.Arbitrary<Rule['value']>>> = {
  os: fc.constantFrom('Android', 'iOS'),
  creative_size: fc.constantFrom('320x50', '300x250'),
  visits_7d: fc.integer({ min: 0, max: 3 }),
  bid_floor: fc.constantFrom(0, 0.1, 0.2),
  device_ip: fc.constantFrom('10.0.0.0/30', '10.0.0.0/29', '10.0.0.2-10.0.0.5', '::1'),
}
const leaf: fc.Arbitrary<Rule> = fc
  .constantFrom(...(Object.keys(value) as (keyof typeof FILTERS)[]))
  .chain((field) =>
    fc.record({ field: fc.constant(field), operator: fc.constantFrom(...FILTERS[field].operators), value: value[field]! }),
  )
const { group } = fc.letrec<{ group: RuleGroup; node: RuleGroup | Rule }>((tie) => ({
  node: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, tie('group')),
  group: fc.record({ condition: fc.constantFrom('and', 'or'), rules: fc.array(tie('node'), { maxLength: 4 }) }),
}))
const someFacts: fc.Arbitrary<Facts> = fc.record(
  {
    os: fc.constantFrom('Android', 'iOS', 'Windows'),
    creative_size: fc.subarray(['320x50', '300x250', '160x600']),
    visits_7d: fc.integer({ min: 0, max: 4 }),
    bid_floor: fc.constantFrom(0, 0.05, 0.1, 0.15, 0.2, 0.3),
    device_ip: fc.constantFrom('10.0.0.1', '10.0.0.3', '10.0.0.4', '10.0.0.9', '::1'),
  },
  { requiredKeys: ['visits_7d', 'bid_floor'] },
)

describe('bidding warnings', () => {
  it('an entry reported as unreachable never matches first, and a reported contradiction never holds', () => {
    fc.assert(
      fc.property(fc.array(group, { maxLength: 4 }), fc.array(someFacts, { minLength: 20, maxLength: 20 }), (groups, people) => {
        const entries = groups.map((rules, i) => entry(i + 1, rules))
        for (const warning of lintBidding(entries))
          for (const person of people) {
            const bid = evaluateBid(entries, person)
            if (warning.kind === 'unreachable') expect(bid.entry?.id).not.toBe(warning.entry)
            else {
              const rules = entries[warning.entry - 1]!.rules
              const steps = [...warning.path.matchAll(/\.rules\[(\d+)\]/g)].map((match) => Number(match[1]))
              // Rules around a contradiction may be part of it: it cannot hold together with all of them.
              if (steps.length === 0) expect(explainGroup(rules, person).holds).toBe(false)
            }
          }
      }),
      { numRuns: 2000 },
    )
  })

  it.each<[string, RuleGroup]>([
    ['two systems at once', all(rule('os', 'is', 'iOS'), rule('os', 'is', 'Android'))],
    ['a value and not that value', all(rule('app', 'is', 'a'), rule('app', 'is_not', 'A'))],
    ['more than three and less than four', all(rule('visits_7d', 'is_more_than', 3), rule('visits_7d', 'is_less_than', 4))],
    ['a count below 0', all(rule('clicks_1d', 'is_less_than', 0))],
    ['five, and less than two', all(rule('visits_1d', 'is', 5), rule('visits_1d', 'is_less_than', 2))],
    ['disjoint ranges', all(rule('device_ip', 'in_ip_range', '10.0.0.0/8'), rule('device_ip', 'in_ip_range', '11.0.0.0/8'))],
    [
      'in a range and not in one around it',
      all(rule('device_ip', 'in_ip_range', '10.0.0.0/24'), rule('device_ip', 'not_in_ip_range', '10.0.0.0/8')),
    ],
    ['one outside, one inside a group', all(rule('os', 'is', 'iOS'), all(rule('os', 'is', 'Android')))],
  ])('reports a contradiction: %s', (_, rules) =>
    expect(lintBidding([entry(1, rules)])).toMatchObject([{ kind: 'contradiction', entry: 1 }]),
  )

  it('two sizes are no contradiction, since an impression may accept both', () => {
    expect(lintBidding([entry(1, all(rule('creative_size', 'is', '320x50'), rule('creative_size', 'is', '300x250')))])).toEqual(
      [],
    )
  })

  it.each<[string, RuleGroup, RuleGroup]>([
    ['that matches everything', all(), all(rule('os', 'is', 'iOS'))],
    ['with the same condition', any(rule('os', 'is', 'iOS')), any(rule('os', 'is', 'iOS'))],
    ['with a weaker condition', all(rule('os', 'equal', 'ios')), all(rule('os', 'is', 'iOS'), rule('app', 'is', 'a'))],
    ['with one of several alternatives', any(rule('os', 'is', 'iOS'), rule('app', 'is', 'b')), all(rule('os', 'is', 'iOS'))],
  ])('reports an unreachable entry behind one %s', (_, first, second) =>
    expect(lintBidding([entry(1, first), entry(2, second)])).toMatchObject([{ kind: 'unreachable', entry: 2, by: 1 }]),
  )
})
