import { formatCount } from './format.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { plainDecimal, readDecimal } from './decimal.ts'
import { chooseLanguage } from './setup.ts'

afterEach(() => chooseLanguage('en'))

describe('a typed number in English', () => {
  it.each([
    ['', null],
    [' 7 ', 7],
    ['12.5', 12.5],
    ['.5', 0.5],
    ['1,500', 1500],
    ['12,345,678.90', 12_345_678.9],
  ])('reads "%s" as %s', (text, number) => {
    expect(readDecimal(text)).toBe(number)
  })

  it.each(['1,5', '0,500', '1,50', '1.500,00', '1,5000', '1 500', '1.2.3', '-1', '1e3', 'much', '$5'])(
    'refuses "%s" rather than guess',
    (text) => {
      expect(readDecimal(text)).toBeNaN()
    },
  )
})

describe('a typed number in Russian', () => {
  it.each([
    ['12,5', 12.5],
    ['12.5', 12.5],
    ['1,500', 1.5],
    ['1 500', 1500],
    ['1\u00a0500,25', 1500.25],
  ])('reads "%s" as %s', async (text, number) => {
    await chooseLanguage('ru')
    expect(readDecimal(text)).toBe(number)
  })

  it.each(['1,500,000', '1.500,00', '15 00'])('refuses "%s" rather than guess', async (text) => {
    await chooseLanguage('ru')
    expect(readDecimal(text)).toBeNaN()
  })
})

// covers CONST-57
it('formats counts with thousands commas', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
})

it('formats a parsed number without grouping, and keeps unparsed input as typed', () => {
  expect(['1,500', '2,000.50', '.5', '', '1,5'].map(plainDecimal)).toEqual(['1500', '2000.5', '0.5', '', '1,5'])
  expect(plainDecimal('0.0000001')).toBe('0.0000001')
})
