import { describe, expect, it } from 'vitest'
import type { DraftGroup, DraftRule } from '@/components/rules/draft'
import { sentenceOf, type SentenceWords } from './sentence.ts'

const lists = { and: new Intl.ListFormat('en'), or: new Intl.ListFormat('en', { type: 'disjunction' }) }
const words: SentenceWords = {
  outcome: (multiplier) => `bid × ${multiplier}`,
  rule: ({ field, value }, operator) => `${field} ${operator} ${String(value)}`,
  list: (parts, condition) => lists[condition].format(parts),
  when: (text) => ` when ${text}`,
  always: ' always',
  any: 'anything',
  unless: (text) => `, unless ${text}`,
  sentence: ({ outcome, where, unless }) => `${outcome}${where}${unless}.`,
}
const rule = (field: string, operator: string, value: DraftRule['value']): DraftRule => ({ field, operator, value })
const all = (...rules: DraftGroup['rules']): DraftGroup => ({ condition: 'and', rules })
const any = (...rules: DraftGroup['rules']): DraftGroup => ({ condition: 'or', rules })
const said = (rules: DraftGroup) => sentenceOf({ id: 1, name: 'Phones', multiplier: '1.2', rules }, words)

describe('the sentence of an entry', () => {
  it.each<[string, DraftGroup, string]>([
    ['no rules', all(), 'bid × 1.2 always.'],
    ['one rule', all(rule('os', 'is', 'iOS')), 'bid × 1.2 when os is iOS.'],
    ['alternatives', any(rule('os', 'is', 'iOS'), rule('os', 'is_not', 'macOS')), 'bid × 1.2 when os is iOS or os is_not macOS.'],
    [
      'exceptions',
      all(rule('os', 'is', 'iOS'), rule('app', 'is_not', 'a'), rule('app', 'is_not', 'b')),
      'bid × 1.2 when os is iOS, unless app is a or app is b.',
    ],
    ['one exception alone', any(rule('app', 'is_not', 'a')), 'bid × 1.2 always, unless app is a.'],
    [
      'an address outside a range, which is missing at times',
      all(rule('device_ip', 'not_in_ip_range', '10.0.0.0/8'), rule('os', 'is', 'iOS')),
      'bid × 1.2 when device_ip not_in_ip_range 10.0.0.0/8 and os is iOS.',
    ],
    [
      'groups',
      all(
        rule('os', 'is', 'iOS'),
        any(rule('bid_floor', 'is_more_than', 5), all(rule('app', 'is', 'a'), rule('app', 'is_not', 'b'))),
      ),
      'bid × 1.2 when os is iOS and (bid_floor is_more_than 5 or (app is a and app is_not b)).',
    ],
    ['a group without rules', all(rule('os', 'is', 'iOS'), any()), 'bid × 1.2 when os is iOS and anything.'],
    [
      'a rule that is not filled in',
      all(rule('os', 'is', 'iOS'), { ...rule('', '', ''), added: true }),
      'bid × 1.2 when os is iOS.',
    ],
  ])('says %s', (_, rules, sentence) => {
    expect(said(rules)).toBe(sentence)
  })
})
