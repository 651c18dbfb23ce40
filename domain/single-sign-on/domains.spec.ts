import { describe, expect, it } from 'vitest'
import { domainOfAddress, isVerifiedBy, mailDomain } from './domains.ts'

describe('mail domains', () => {
  it.each([
    ['Example.COM ', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['a.b.example', 'a.b.example'],
  ])('stores %s as %s', (typed, stored) => expect(mailDomain(typed)).toBe(stored))

  it.each([
    '',
    'example',
    'a b.example',
    'https://example.com',
    'ada@example.com',
    '127.0.0.1',
    '-a.example',
    'a..example',
    'a.example/x',
  ])('refuses "%s"', (typed) => expect(mailDomain(typed)).toBeNull())

  it('takes the domain of an address from behind its last at sign', () => {
    expect(domainOfAddress('Ada@Example.com')).toBe('example.com')
    expect(domainOfAddress('"a@evil.example"@example.com')).toBe('example.com')
    expect(domainOfAddress('example.com')).toBeNull()
    expect(domainOfAddress('@example.com')).toBeNull()
  })

  it('a mail domain is verified by the whole record alone', () => {
    expect(isVerifiedBy([['v=spf1 -all'], ['placard-verification=', 'abc']], 'abc')).toBe(true)
    expect(isVerifiedBy([['placard-verification=abcd'], ['abc']], 'abc')).toBe(false)
    expect(isVerifiedBy([], 'abc')).toBe(false)
  })
})
