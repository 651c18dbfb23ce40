import fc from 'fast-check'
import { LANGUAGE_CODES } from '#domain/kit/languages'
import { afterEach, describe, expect, it } from 'vitest'
import { formatPlainDay } from '@/i18n/format'
import { chooseLanguage } from '@/i18n/setup'
import { isDay, toDay } from './date-range.ts'
import { dayOrder, readDay } from './read-day.ts'

const TODAY = new Date(2026, 10, 24)
const days = fc
  .date({ min: new Date(2000, 0, 1), max: new Date(2199, 11, 31), noInvalidDate: true })
  .map((date) => toDay(new Date(date.getFullYear(), date.getMonth(), date.getDate())))

afterEach(() => chooseLanguage('en'))

describe('a typed day', () => {
  it.each([
    ['11/24/2026', 'MDY', '2026-11-24'],
    ['24.11.2026', 'DMY', '2026-11-24'],
    ['3/4/2027', 'MDY', '2027-03-04'],
    ['3/4/2027', 'DMY', '2027-04-03'],
    ['24/11/2026', 'MDY', '2026-11-24'],
    ['2026-11-24', 'DMY', '2026-11-24'],
    [' 11 - 24 - 26 ', 'MDY', '2026-11-24'],
    ['24 ноября 2026 г.', 'DMY', '2026-11-24'],
    ['1 мая', 'DMY', '2027-05-01'],
    ['November 24th', 'MDY', '2026-11-24'],
    ['11/23', 'MDY', '2027-11-23'],
    ['2/29/2028', 'MDY', '2028-02-29'],
    ['29 фев', 'DMY', '2028-02-29'],
  ] as const)('%s in the order %s is %s', (text, order, day) => expect(readDay(text, order, TODAY)).toBe(day))

  it.each([
    ['20.11', '2026-11-20'],
    ['24.11', '2026-11-24'],
    ['25.11', '2025-11-25'],
    ['29.02', '2024-02-29'],
  ] as const)('%s without a year is %s where only past days are meant', (text, day) =>
    expect(readDay(text, 'DMY', TODAY, 'last')).toBe(day),
  )

  it.each([
    '',
    '11',
    '11/2026',
    '2/29/2027',
    '2/30',
    '13/13/2026',
    '11/24/2',
    '11/24/20267',
    'tomorrow',
    'Nov',
    'Nov 24 dec',
    '0/0/2026',
    '1 2 3 4',
    '2026-11',
  ])('"%s" is none', (text) => expect(readDay(text, 'MDY', TODAY)).toBeNull())

  it.each(LANGUAGE_CODES)('a typed day is read back from every way that it is written in the language %s', async (language) => {
    await chooseLanguage(language)
    const order = dayOrder(language)
    fc.assert(
      fc.property(days, (day) => {
        const [year, month, date] = day.split('-')
        const numeric = order === 'MDY' ? `${month}/${date}/${year}` : `${date}.${month}.${year}`
        for (const text of [day, numeric, formatPlainDay(day)]) expect(readDay(text, order, TODAY)).toBe(day)
      }),
      { numRuns: 2000 },
    )
  })

  it('a typed day is a real day whatever was typed', () => {
    const typed = fc.oneof(
      fc.string({ size: 'max', maxLength: 20 }),
      fc
        .array(fc.oneof(fc.nat(40).map(String), fc.nat(2100).map(String), fc.constantFrom('Nov', 'мая', '.', '/', ' ')), {
          maxLength: 6,
        })
        .map((parts) => parts.join(' ')),
    )
    let read = 0
    fc.assert(
      fc.property(typed, fc.constantFrom('MDY', 'DMY'), (text, order) => {
        const day = readDay(text, order, TODAY)
        if (day === null) return
        read += 1
        expect(isDay(day)).toBe(true)
      }),
      { numRuns: 5000 },
    )
    expect(read).toBeGreaterThan(100)
  })
})
