import { describe, expect, it } from 'vitest'
import { addedTax, isTaxRate, taxTermsOf, type TaxTerms } from './tax.ts'

const USUAL: TaxTerms = { tax_mode: 'exclusive', tax_rate: 1900 }

describe('the tax terms of an account', () => {
  it.each([
    ['those of its white-label without own ones', { tax_mode: null, tax_rate: null }, USUAL],
    ['those of its white-label where a rate has no mode', { tax_mode: null, tax_rate: 700 }, USUAL],
    ['its own', { tax_mode: 'inclusive', tax_rate: 700 }, { tax_mode: 'inclusive', tax_rate: 700 }],
    ['its own mode at the usual rate', { tax_mode: 'inclusive', tax_rate: null }, { tax_mode: 'inclusive', tax_rate: 1900 }],
    ['no tax, whatever the usual rate is', { tax_mode: 'none', tax_rate: null }, { tax_mode: 'none', tax_rate: 0 }],
  ] as const)('the tax terms of an account are %s', (_, own, terms) => {
    expect(taxTermsOf(own, USUAL)).toEqual(terms)
  })
})

it.each([
  ['none', 0, true],
  ['none', 1, false],
  ['exclusive', 0, false],
  ['exclusive', 1, true],
  ['inclusive', 10_000, true],
  ['inclusive', 10_001, false],
  ['inclusive', 0.5, false],
] as const)('a tax of the mode %s has a rate of %d basis points: %s', (mode, rate, expected) => {
  expect(isTaxRate(mode, rate)).toBe(expected)
})

it.each([
  ['exclusive', 19],
  ['inclusive', 0],
] as const)('a tax of 19 of the mode %s moves the ledger by %d', (tax_mode, added) => {
  expect(addedTax({ tax_mode, tax: 19 })).toBe(added)
})
