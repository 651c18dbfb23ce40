import { describe, expect, it } from 'vitest'
import {
  hasSize,
  isAlphanumericOrSymbols,
  isAtLeast,
  isDigits,
  isEmail,
  isGivenIf,
  isHttpsUrl,
  isLongEnough,
  isPhone,
  isPlainName,
  isShortEnough,
  isShownName,
  isUrl,
} from './validators.ts'

describe('the generic validators', () => {
  // covers VAL-01
  it('the generic validators accept an address of a mailbox', () => {
    expect(['a@b.co', 'first.last+tag@mail.example.com', 'анна@почта.рф'].filter(isEmail)).toHaveLength(3)
    const wrong = ['a@', '@b.co', 'a@b', 'a b@c.co', 'a@b.co\r\nBcc: c@d.co', 'a@b.co,c@d.co', 'A <a@b.co>', 'a..b@c.co']
    expect(wrong.filter(isEmail)).toEqual([])
  })
  // covers VAL-02
  it('the generic validators accept web addresses', () => {
    expect(isUrl('http://a.co')).toBe(true)
    expect(['abc', 'javascript:alert(1)', 'ftp://a.co'].filter(isUrl)).toEqual([])
  })
  // covers VAL-03
  it('the generic validators accept https addresses only, where asked', () => {
    expect(isHttpsUrl('https://a.co')).toBe(true)
    expect(isHttpsUrl('http://a.co')).toBe(false)
  })
  // covers VAL-04
  it('the generic validators accept digits only, where asked', () =>
    expect(['12', '1a', '', '-1'].map(isDigits)).toEqual([true, false, false, false]))
  // covers VAL-05
  it('the generic validators accept phone numbers of 7 to 15 digits with spaces and dashes', () => {
    expect(['+2348012345678', '080 1234-567', '1234567'].filter(isPhone)).toHaveLength(3)
    expect(['abc', '123456', '1234567890123456', '++1234567', '12+34567'].filter(isPhone)).toEqual([])
  })
  it('the generic validators accept letters, digits and symbols', () =>
    expect(['Abc 12!', 'tab\t', '€'].map(isAlphanumericOrSymbols)).toEqual([true, false, false]))
  // covers VAL-07
  it('the generic validators require two characters', () =>
    expect(['a', 'ab', ' a ', '😀😀'].map((text) => isLongEnough(text))).toEqual([false, true, false, true]))
  it('the generic validators refuse signs that are not shown in a name, and addresses where only a name may be', () => {
    expect(['Lagos\u202egpj', 'two\nlines', 'bell\u0007', '\u2067isolated\u2069'].filter(isShownName)).toEqual([])
    expect(['Nile https://evil.example', 'a@b', 'a/b'].filter(isShownName)).toHaveLength(3)
    const blank = [
      '\u200b',
      '\u2060\u200d',
      '\u3164',
      '\u2800',
      '\u00ad',
      '\ufe0f',
      '\u0301',
      '\uffa0\u115f',
      '\u180e',
      '\u{e0020}',
    ]
    expect(blank.filter(isShownName)).toEqual([])
    expect(['é', 'e\u0301', '東京', 'ก็', 'می\u200cخواهم', '👩\u200d👩', '№1', '.', '€', ''].filter(isShownName)).toHaveLength(10)
    expect(['Nile https://evil.example', 'a@b', 'a/b'].filter(isPlainName)).toEqual([])
  })
  // covers VAL-08
  it('the generic validators allow 300 characters', () =>
    expect([300, 301].map((n) => isShortEnough('a'.repeat(n)))).toEqual([true, false]))
  // covers VAL-09
  it('the generic validators require a least number', () =>
    expect([isAtLeast(1, 1), isAtLeast(0.9, 1), isAtLeast(Number.NaN, 1)]).toEqual([true, false, false]))
  // covers VAL-10
  it('the generic validators require the width and height of a size', () => {
    const size = { width: 300, height: 250 }
    expect([hasSize(size, size), hasSize({ width: 300, height: 251 }, size), hasSize({ width: 299, height: 250 }, size)]).toEqual(
      [true, false, false],
    )
  })
  // covers VAL-11
  it('the generic validators require a value only if a condition holds', () =>
    expect([isGivenIf(true, ' '), isGivenIf(true, 'a'), isGivenIf(false, null)]).toEqual([false, true, true]))
})
