import { describe, expect, it } from 'vitest'
import { createSeal } from './sealed.ts'

describe('sealed secrets', () => {
  const seal = createSeal('master')

  it('opens what it sealed, for the same place', () => {
    const sealed = seal.seal('a secret', 'provider 1')
    expect(sealed).not.toContain('secret')
    expect(seal.open(sealed, 'provider 1')).toBe('a secret')
  })

  it('opens nothing for another place, under another key, or after a change', () => {
    const sealed = seal.seal('a secret', 'provider 1')
    const changed = Buffer.from(sealed, 'base64url')
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
    expect(seal.open(sealed, 'provider 2')).toBeNull()
    expect(createSeal('other').open(sealed, 'provider 1')).toBeNull()
    expect(seal.open(changed.toString('base64url'), 'provider 1')).toBeNull()
    expect(seal.open('', 'provider 1')).toBeNull()
  })
})
