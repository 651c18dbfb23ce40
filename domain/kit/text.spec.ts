import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginning, isolated, nameKey, storable, storableJson } from './text.ts'

describe('the beginning of a text', () => {
  it.each([
    ['short', 'Nile', 1000, 'Nile'],
    ['an emoji at the bound', `${'x'.repeat(999)}\u{1F600}`, 1000, 'x'.repeat(999)],
    ['a family at the bound', 'ab\u{1F468}\u200D\u{1F469}\u200D\u{1F467}', 7, 'ab'],
    ['an accent at the bound', 'cafe\u0301', 4, 'caf'],
    ['a flag that fits', '\u{1F1EA}\u{1F1EC}!', 4, '\u{1F1EA}\u{1F1EC}'],
    ['one character that is too long', `e${'\u0301'.repeat(99)}`, 3, 'e\u0301\u0301'],
    ['one emoji that is too long', '\u{1F600}', 1, '\uFFFD'],
    ['half an emoji', 'a\uD83D', 5, 'a\uFFFD'],
    ['a NUL', 'a\0b', 5, 'a\uFFFDb'],
  ])('the beginning of a text: %s', (_, text, most, expected) => expect(beginning(text, most)).toBe(expected))

  // covers FP-110
  it('the beginning of a text is what every store takes, within the bound and a beginning, for any text', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '\0', '\uD83D', '\uDE00', '\u{1F600}', '\u0301', '\u200D', '\u202E', '\u{1F1EA}'),
    })
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 12 }), (given, most) => {
        const cut = beginning(given, most)
        expect(cut.length).toBeLessThanOrEqual(most)
        expect(cut.isWellFormed()).toBe(true)
        expect(cut).not.toContain('\0')
        if (storable(given) === given && cut.length > 0 && !cut.includes('\uFFFD')) expect(given.startsWith(cut)).toBe(true)
        expect(JSON.parse(storableJson({ given }))).toEqual({ given: storable(given) })
      }),
      { numRuns: 1000 },
    )
  })
})

it.each([
  ['Café x', 'CAFE\u0301 X'],
  ['Café x', 'Café x\u200b'],
  ['Café x', ' Café\u00a0 x '],
  ['Nile Sale', 'Nile\u2003Sale'],
  ['Sale', 'Sa\u00adle\u2060'],
  ['Sale ❤', 'Sale ❤\ufe0f'],
  ['می\u200cخواهم', 'میخواهم'],
])('%s and %s are the same name', (one, other) => expect(nameKey(one)).toBe(nameKey(other)))

it.each([
  ['Sale', 'Sales'],
  ['Nile Sale', 'NileSale'],
  ['Sale 1', 'Sale 2'],
])('%s and %s are two names', (one, other) => expect(nameKey(one)).not.toBe(nameKey(other)))

it.each(['שלום', 'متجر', 'Nile متجر', '𐤀𐤁', '𞤀𞤁', '\ufb2a', '\ufefb', 'ܐܒ', 'ދިވެހި', 'ߒߞߏ'])(
  '"%s" is isolated from the sentence that it stands in',
  (name) => expect(isolated(name)).toBe(`\u2068${name}\u2069`),
)

it.each(['Nile', 'Лето', 'Ամառ', '夏', '여름', 'ฤดูร้อน', '75 %', '\u{1F600}', 'Café', ''])('"%s" stands as it is', (name) =>
  expect(isolated(name)).toBe(name),
)
