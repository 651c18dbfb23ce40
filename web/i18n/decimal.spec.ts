import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { isUnclear, plainDecimal, readDecimal, withoutCurrency } from './decimal.ts'
import { formatCount, formatExact } from './format.ts'
import { chooseLanguage } from './setup.ts'

const LANGUAGES = ['en', 'ru'] as const
afterEach(() => chooseLanguage('en'))

describe.each(LANGUAGES)('a typed number in %s', (language) => {
  it.each([
    ['', null],
    [' 7 ', 7],
    ['12.5', 12.5],
    ['.5', 0.5],
    ['12,345,678.90', 12_345_678.9],
    ['1,500,000', 1_500_000],
    ['1 000,50', 1000.5],
    ['1 500', 1500],
    ['1\u00a0500.25', 1500.25],
    ['1\u202f500,25', 1500.25],
    ["1'500.25", 1500.25],
    ['1’234’567', 1_234_567],
    ['1.500,00', 1500],
    ['1.234.567', 1_234_567],
    ['\u200e75\u200f', 75],
    ['١٢٫٥', 12.5],
    ['١٬٥٠٠٫٥', 1500.5],
    ['１，５００．５', 1500.5],
    ['१२.५', 12.5],
    ['𝟏𝟐.𝟓', 12.5],
    ['1e3', 1000],
    ['1.5E+03', 1500],
    ['5e-2', 0.05],
  ])('reads "%s", which is clear, as %s', async (text, number) => {
    await chooseLanguage(language)
    expect(readDecimal(text)).toBe(number)
  })

  it.each([
    '1.2.3',
    '-1',
    '−1',
    'much',
    '€5',
    '15 00',
    "1 500'000",
    '1,50,000',
    '1e',
    'e3',
    '1e1000',
    '0x10',
    '½',
    '5²',
    '1,500,00',
    '1.500,',
    'NaN',
  ])('refuses "%s" rather than guess', async (text) => {
    await chooseLanguage(language)
    expect(Number.isFinite(readDecimal(text))).toBe(false)
  })

  it('reads what is written in its format', async () => {
    await chooseLanguage(language)
    const micros = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER - 1 })
    fc.assert(
      fc.property(micros, (amount) => {
        const units = amount / 1_000_000
        expect(readDecimal(formatExact(units))).toBe(Number(units.toFixed(6)))
      }),
    )
  })
})

it.each([
  ['1,500', 1500, 1.5],
  ['1,5', Number.NaN, 1.5],
  ['1,50', Number.NaN, 1.5],
  ['0,500', Number.NaN, 0.5],
  ['1,5000', Number.NaN, 1.5],
  ['1.500', 1.5, 1.5],
])('"%s" has one separator, which the language decides: %s in English, %s in Russian', async (text, english, russian) => {
  expect(readDecimal(text)).toBe(english)
  await chooseLanguage('ru')
  expect(readDecimal(text)).toBe(russian)
})

it('tells an ambiguous number from what is none', () => {
  expect(['1,5', '1 50', '1,50,000'].map(isUnclear)).toEqual([true, true, true])
  expect(['much', '5 apples', '-1'].map(isUnclear)).toEqual([false, false, false])
})

it.each([
  ['$75', 'USD', '75'],
  ['$ 1,500.50', 'USD', '1,500.50'],
  ['75$', 'USD', '75'],
  ['75 USD', 'USD', '75'],
  ['usd 75', 'USD', '75'],
  ['75\u00a0$', 'USD', '75'],
  ['-$5', 'USD', '-5'],
  ['₦1,000', 'NGN', '1,000'],
  ['1000 NGN', 'NGN', '1000'],
  ['֏500', 'AMD', '500'],
  ['500 EUR', 'EUR', '500'],
  ['€5', 'USD', '€5'],
  ['5 NGN', 'USD', '5 NGN'],
  ['USDA 5', 'USD', 'USDA 5'],
  ['75', 'USD', '75'],
])('"%s" without the currency %s is "%s"', (typed, currency, bare) => {
  expect(withoutCurrency(typed, currency)).toBe(bare)
})

// covers CONST-57
it('formats counts with thousands commas', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
})

it('formats a parsed number without grouping, and keeps unparsed input as typed', () => {
  expect(['1,500', '2,000.50', '.5', '', '1,5'].map(plainDecimal)).toEqual(['1500', '2000.5', '0.5', '', '1,5'])
  expect(plainDecimal('0.0000001')).toBe('0.0000001')
})
