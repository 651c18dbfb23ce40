import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInRange, parseIp, parseIpRange } from './ip-range.ts'

const inside = (range: string, address: string): boolean => {
  const [parsed, ip] = [parseIpRange(range), parseIp(address)]
  if (parsed === null || ip === null) throw new Error(`${range} or ${address} cannot be read`)
  return isInRange(parsed, ip)
}

describe('IP ranges', () => {
  it.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.77/24', '10.0.0.1', true],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['192.0.2.7/32', '192.0.2.7', true],
    ['10.0.0.0-10.0.0.255', '10.0.0.255', true],
    ['10.0.0.0 - 10.0.0.255', '10.0.1.0', false],
    ['10.0.0.9', '10.0.0.9', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::', false],
    ['::1-::ff', '::80', true],
    ['::/0', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['::/0', '10.0.0.1', false],
  ])('the range %s contains %s: %s', (range, address, expected) => expect(inside(range, address)).toBe(expected))

  it.each([
    'abc',
    '',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.01',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.9-10.0.0.1',
    '10.0.0.1-::1',
    '1-2-3',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8:9',
    'g::1',
    '2001:db8::/129',
  ])('refuses %j', (text) => expect(parseIpRange(text)).toBeNull())

  it('a prefix contains exactly the addresses with the same leading bits', () => {
    const ip = fc.ipV4()
    fc.assert(
      fc.property(ip, ip, fc.integer({ min: 0, max: 32 }), (a, b, prefix) => {
        const bits = (text: string) =>
          text
            .split('.')
            .map((part) => Number(part).toString(2).padStart(8, '0'))
            .join('')
            .slice(0, prefix)
        expect(inside(`${a}/${prefix}`, b)).toBe(bits(a) === bits(b))
      }),
    )
  })

  it('every address is in its own range, in any notation', () => {
    fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => inside(address, address)))
  })
})
