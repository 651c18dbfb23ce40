import fc from 'fast-check'
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { expect, it } from 'vitest'
import { numbering } from './numbering.ts'

const full = getCountries().flatMap((country) => getExampleNumber(country, examples)?.number.slice(1) ?? [])

/** Verdict of the library on full digits. It would take out a 0 behind the country code, which makes another number. */
const isNumber = (digits: string): boolean => {
  const parsed = parsePhoneNumberFromString(`+${digits}`, { extract: false })
  return parsed !== undefined && parsed.number === `+${digits}` && parsed.isValid()
}

it('judges full digits as the library does', () => {
  const mutated = fc
    .tuple(fc.constantFrom(...full), fc.array(fc.tuple(fc.nat(14), fc.nat(9)), { maxLength: 4 }))
    .map(([digits, changes]) =>
      changes.reduce((text, [at, digit]) => text.slice(0, at) + String(digit) + text.slice(at + 1), digits),
    )
  const seen = { valid: 0, invalid: 0 }
  fc.assert(
    fc.property(fc.oneof(mutated, fc.stringMatching(/^[1-9]\d{7,14}$/)), (digits) => {
      const expected = isNumber(digits)
      expect([digits, numbering.isNumber(digits)]).toEqual([digits, expected])
      seen[expected ? 'valid' : 'invalid'] += 1
    }),
    { numRuns: 3000 },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(300)
})

it('knows an example of every country, and completes its national form', () => {
  for (const country of getCountries()) {
    const example = getExampleNumber(country, examples)
    if (example === undefined) continue
    const digits = example.number.slice(1)
    expect([country, numbering.isNumber(digits)]).toEqual([country, true])
    expect([country, numbering.fullNumber(example.formatInternational(), null)]).toEqual([country, digits])
    expect([country, numbering.fullNumber(example.formatNational(), country)]).toEqual([country, digits])
  }
})
