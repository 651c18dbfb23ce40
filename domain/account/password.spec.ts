import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passwordFault } from './password.ts'

const OWNER = { first_name: 'Ada', last_name: 'Hassan', company_name: 'Nile Travel' }

describe('a new password', () => {
  // covers AUTH-41 AUTH-42 AUTH-43 AUTH-44
  it.each([
    ['seven characters', 'Ab#45xy'],
    ['no number', 'Quiet#River'],
    ['no uppercase letter', 'quiet#river7'],
    ['no special symbol', 'QuietRiver7'],
    ['a space as the only symbol', 'Quiet River7'],
  ])('a new password is weak with %s', (_, password) => {
    expect(passwordFault(password, OWNER)).toBe('weak')
  })

  // covers AUTH-38 AUTH-39 AUTH-40
  it.each([
    ['the first name', 'xxADAxx#2026X'],
    ['the last name', 'X#2026-hassan'],
    ['the company name', 'X#2026 nile TRAVEL'],
    ['the company name without its space', 'NileTravel#2026'],
    ['the company name with other signs between', 'Nile_tra-vel#2026'],
  ])('a new password must not contain %s', (_, password) => {
    expect(passwordFault(password, OWNER)).toBe('personal')
  })

  it('ignores empty names', () => {
    expect(passwordFault('Quiet#River7', { first_name: '', last_name: ' ', company_name: '' })).toBeNull()
  })

  it.each(['Dragon#2026', '#1Dragon', 'P@ssw0rd#'])('a new password must not be a common one: %s', (password) => {
    const common = new Set(['dragon', 'p@ssw0rd'])
    expect(passwordFault(password, OWNER, (text) => common.has(text) || common.has(text.replace(/#$/, '')))).toBe('common')
  })

  it('a new password is accepted when it is long and mixed, whatever else it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const password = `Z9#${text}qwzxv`
        fc.pre(!/ada|hassan|nile travel/i.test(password.normalize('NFKC')))
        expect(passwordFault(password, OWNER)).toBeNull()
      }),
    )
  })
})
