import { parseIp } from '#domain/kit/ip-range'

/** The network of a client's address: the /24 of an IPv4 address, the /64 of an IPv6 one. `unknown` for anything else. */
export function networkOf(ip: string): string {
  const address = parseIp(ip.replace(/%.*$/, ''))
  if (address === null) return 'unknown'
  if (address.family === 4) {
    const parts = [24n, 16n, 8n].map((shift) => (address.value >> shift) & 0xffn)
    return `${parts.join('.')}.0/24`
  }
  const groups = [112n, 96n, 80n, 64n].map((shift) => ((address.value >> shift) & 0xffffn).toString(16))
  return `${groups.join(':')}::/64`
}
