import { describe, expect, it } from 'vitest'
import { filterOf } from '#domain/bidding/filters'
import { campaignWith } from '@/test/campaign-form'
import { biddingSlice } from './bidding-slice.ts'
import type { DraftGroup } from '@/components/rules/draft'
import { toDrafts, toEntries, type DraftEntry } from './draft.ts'
import { addEntry, changeEntry, insertEntry, moveEntry, removeEntry, renameEntry } from './entries.ts'
import { mayStand, multiplierOf } from './multiplier.ts'
import { summaryOf, type Words } from './summary.ts'
import { addGroup, addRule, removeAt, setCondition, setField, setOperator, setValue, withField } from '@/components/rules/tree'

const entry = (id: number, patch: Partial<DraftEntry> = {}): DraftEntry => ({
  id,
  name: `Bidding ${id}`,
  multiplier: '1',
  rules: { condition: 'and', rules: [] },
  ...patch,
})
const ids = (entries: readonly DraftEntry[]) => entries.map(({ id }) => id)
const app = { field: 'app', operator: 'is', value: 'com.example' }
const nested: DraftGroup = {
  condition: 'and',
  rules: [
    app,
    {
      condition: 'or',
      rules: [
        { field: 'os', operator: 'is', value: 'Android' },
        { field: 'bid_floor', operator: 'is_more_than', value: 0.5 },
      ],
    },
  ],
}
const stored = (rules: DraftGroup) => toEntries([entry(1, { rules })])[0]?.rules

describe('the list of bidding entries', () => {
  // covers CAM-BID-16 CAM-BID-17 CAM-BID-19 CAM-RULE-12
  it('adds at its end: Bidding N, multiplier 1, no rules', () => {
    expect(addEntry([])).toEqual([{ id: 1, name: 'Bidding 1', multiplier: '1', rules: { condition: 'and', rules: [] } }])
    expect(ids(addEntry([entry(1), entry(2)]))).toEqual([1, 2, 3])
  })

  // covers CAM-BID-18
  it('gives the last id plus 1, wherever that one stands', () => {
    expect(ids(addEntry([entry(1), entry(4)]))).toEqual([1, 4, 5])
    expect(ids(addEntry([entry(4), entry(1)]))).toEqual([4, 1, 5])
  })

  // covers CAM-RULE-13
  it('swaps neighbours, and moves nothing beyond its ends', () => {
    const entries = [entry(1), entry(2), entry(3)]
    expect(ids(moveEntry(entries, 1, 1))).toEqual([2, 1, 3])
    expect(ids(moveEntry(entries, 3, -1))).toEqual([1, 3, 2])
    expect(moveEntry(entries, 1, -1)).toBe(entries)
    expect(moveEntry(entries, 3, 1)).toBe(entries)
  })

  // covers CAM-RULE-14
  it('removes by id and puts back where it was', () => {
    const entries = [entry(1), entry(2), entry(3)]
    expect(ids(removeEntry(entries, 2))).toEqual([1, 3])
    expect(ids(insertEntry(removeEntry(entries, 2), 1, entry(2)))).toEqual([1, 2, 3])
    expect(ids(insertEntry(entries, 1, entry(2)))).toEqual([1, 2, 3])
  })

  // covers CAM-RULE-20 CAM-RULE-21 CAM-BID-51
  it('changes the name or multiplier of an entry, and never to an empty name', () => {
    const [first] = [entry(1)]
    const renamed = renameEntry([first], 1, ' Phones ')[0]
    expect(renamed).toEqual({ ...first, name: 'Phones' })
    expect(renamed).not.toBe(first)
    const raised = changeEntry([first], 1, { multiplier: '2' })[0]
    expect(raised).toEqual({ ...first, multiplier: '2' })
    expect(raised).not.toBe(first)
    expect(renameEntry([first], 1, '  ')[0]).toBe(first)
  })
})

describe('typing a multiplier', () => {
  it.each([
    '12',
    '1.25', // covers CAM-BID-46
    '1.', // covers CAM-BID-47
    '', // covers CAM-BID-48
    '.',
    '.5',
    '1,5',
    '-',
    '-2',
  ])('takes "%s"', (text) => {
    expect(mayStand(text)).toBe(true)
  })

  // covers CAM-BID-49
  it.each(['a', '7a', '1..', '1.5,', '--1', '1-', '1e3', '1 2', '1234567890123456'])('ignores "%s"', (text) => {
    expect(mayStand(text)).toBe(false)
  })

  it.each([
    ['', '1'],
    ['.', '1'],
    ['-', '1'],
    ['3.', '3'],
    ['.5', '0.5'],
    ['0,5', '0.5'],
    ['05', '5'],
    ['-2', '0'],
    ['-0.5', '0'],
  ])('reads "%s" as %s', (text, multiplier) => {
    expect(multiplierOf(text)).toBe(multiplier)
  })
})

describe('the tree of rules', () => {
  // covers CAM-RULE-15
  it('stores another value, at any depth', () => {
    expect(stored(setValue(nested, [1, 1], '0.75'))).toEqual({
      ...nested,
      rules: [
        app,
        {
          condition: 'or',
          rules: [
            { field: 'os', operator: 'is', value: 'Android' },
            { field: 'bid_floor', operator: 'is_more_than', value: 0.75 },
          ],
        },
      ],
    })
  })

  // covers CAM-RULE-16
  it('stores another operator', () => {
    expect(stored(setOperator(nested, [0], 'is_not'))?.rules[0]).toEqual({ ...app, operator: 'is_not' })
  })

  // covers CAM-RULE-17
  it('stores a deletion, of rules and of groups', () => {
    expect(stored(removeAt(nested, [1, 0]))?.rules[1]).toEqual({
      condition: 'or',
      rules: [{ field: 'bid_floor', operator: 'is_more_than', value: 0.5 }],
    })
    expect(stored(removeAt(nested, [1]))?.rules).toEqual([app])
  })

  // covers CAM-RULE-18
  it('stores another condition', () => {
    expect(stored(setCondition(nested, [1], 'and'))?.rules[1]).toMatchObject({ condition: 'and' })
    expect(stored(setCondition(nested, [], 'or'))).toMatchObject({ condition: 'or' })
  })

  // covers CAM-RULE-19
  it('stores nothing for a rule or a group that was only added', () => {
    expect(stored(addRule(nested, []))).toEqual(nested)
    expect(stored(addGroup(nested, [1]))).toEqual(nested)
    const empty = { condition: 'and', rules: [{ condition: 'or', rules: [] }] } as const
    expect(stored(empty)).toEqual(empty)
  })

  it('leaves everything beside the change the same object', () => {
    expect(setValue(nested, [0], 'x').rules[1]).toBe(nested.rules[1])
  })

  it('keeps of a rule what another filter can use', () => {
    expect(withField(app, 'site', filterOf)).toEqual({ ...app, field: 'site' })
    expect(withField(app, 'os', filterOf)).toEqual({ field: 'os', operator: 'is', value: '' })
    expect(withField(app, 'rewarded', filterOf)).toEqual({ field: 'rewarded', operator: 'is', value: true })
    expect(withField({ field: 'app', operator: 'is_not', value: 'x' }, 'device_make', filterOf).operator).toBe('is')
    expect(setField(nested, [1, 1], 'device_ip', filterOf).rules[1]).toMatchObject({
      rules: [{}, { field: 'device_ip', operator: 'in_ip_range', value: '' }],
    })
  })
})

const words: Words = {
  and: 'AND',
  or: 'OR',
  everything: 'Every impression',
  rule: ({ field, operator, value }) => `${field} ${operator} ${String(value)}`,
  outcome: (multiplier) => `bid × ${multiplier}`,
}

describe('a summary', () => {
  it('reads as the rules do, with brackets where they are needed', () => {
    expect(summaryOf(entry(1, { rules: nested, multiplier: '1.5' }), words)).toBe(
      'app is com.example AND (os is Android OR bid_floor is_more_than 0.5) → bid × 1.5',
    )
    expect(summaryOf(entry(1, { rules: addGroup({ condition: 'and', rules: [] }, []) }), words)).toBe(
      'Every impression → bid × 1',
    )
    expect(summaryOf(entry(1, { rules: { condition: 'and', rules: [{ condition: 'or', rules: [app] }] } }), words)).toBe(
      'app is com.example → bid × 1',
    )
  })
})

describe('the slice of advanced bidding', () => {
  const text = JSON.stringify([{ id: 3, name: 'Phones', multiplier: 1.5, rules: nested }])
  const campaign = campaignWith({ traffic_targeting: text })
  const values = biddingSlice.fromCampaign(campaign)
  const withRules = (rules: DraftGroup) => ({ entries: [entry(3, { rules })] })

  it('sends nothing while nothing was changed, nor where it was read without', () => {
    expect(biddingSlice.toInput(values, campaign)).toEqual({})
    const { traffic_targeting: _, ...without } = campaign
    expect(biddingSlice.toInput({ entries: [entry(1)] }, without)).toEqual({})
    expect(biddingSlice.toInput(biddingSlice.empty('awareness'), null)).toEqual({})
  })

  // covers CAM-BID-07
  it('sends the whole list as text once one thing changed, the rest as it came', () => {
    const sent = biddingSlice.toInput({ entries: [...changeEntry(values.entries, 3, { multiplier: '2.5' })] }, campaign)
    expect(sent).toEqual({ traffic_targeting: text.replace('1.5', '2.5') })
    expect(biddingSlice.toInput({ entries: [entry(1, { multiplier: '' })] }, null)).toEqual({
      traffic_targeting: '[{"id":1,"name":"Bidding 1","multiplier":1,"rules":{"condition":"and","rules":[]}}]',
    })
  })

  it('reads what is no list as none', () => {
    expect(toDrafts('{')).toEqual([])
    expect(toDrafts(undefined)).toEqual([])
  })

  it.each([
    ['traffic_targeting', 'entries'],
    ['traffic_targeting[3]', 'entries.0'],
    ['traffic_targeting[3].name', 'entries.0.name'],
    ['traffic_targeting[9].name', 'entries'],
    ['traffic_targeting[3].rules.rules[0].value', 'entries.0.rules.rules.0.value'],
    ['traffic_targeting[3].rules.rules[1].rules[1].operator', 'entries.0.rules.rules.1.rules.1.operator'],
    ['traffic_targeting[3].rules.rules[1]', 'entries.0.rules.rules.1'],
    ['margin', null],
  ])('finds %s at %s', (path, field) => {
    expect(biddingSlice.fieldOf(path, values)).toBe(field)
  })

  it('counts past rules that were only added', () => {
    const rules: DraftGroup = { ...nested, rules: [{ field: '', operator: '', value: '', added: true }, ...nested.rules] }
    const found = biddingSlice.fieldOf('traffic_targeting[3].rules.rules[1].rules[0].value', withRules(rules))
    expect(found).toBe('entries.0.rules.rules.2.rules.0.value')
  })

  it.each([
    ['device_ip', 'in_ip_range', 'abc', 'faults:ipRange'],
    ['visits_7d', 'is', '1.5', 'bidding:integerNeeded'],
    ['bid_floor', 'is', 'x', 'faults:numeric'],
    ['os', 'is', '', 'faults:required'],
    ['app', 'is_more_than', 'x', 'faults:notAllowed'],
  ])('refuses %s %s "%s"', (field, operator, value, message) => {
    const read = biddingSlice.schema.safeParse(withRules({ condition: 'and', rules: [{ field, operator, value }] }))
    expect(read.error?.issues.map((issue) => issue.message)).toEqual([message])
  })

  it('takes a range of addresses, numbers as typed, and rules only added', () => {
    const rules: DraftGroup = {
      condition: 'and',
      rules: [
        { field: 'device_ip', operator: 'in_ip_range', value: '10.0.0.0-10.0.0.255' },
        { field: 'visits_7d', operator: 'is', value: '2' },
        { field: 'bid_floor', operator: 'is', value: '0.3' },
        { field: '', operator: '', value: '', added: true },
      ],
    }
    expect(biddingSlice.schema.safeParse(withRules(rules)).success).toBe(true)
    expect(stored(rules)?.rules.slice(1)).toEqual([
      { field: 'visits_7d', operator: 'is', value: 2 },
      { field: 'bid_floor', operator: 'is', value: 0.3 },
    ])
  })
})
