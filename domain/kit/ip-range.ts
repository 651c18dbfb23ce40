/**
 * Ranges of addresses as bidding rules (decisions G-158) and networks of staff (fine print 81) take them: CIDR (`10.0.0.0/8`),
 * from-to (`10.0.0.1-10.0.0.9`) or a single address, IPv4 and IPv6. An address is a number within its family; families never mix.
 */
export type IpRange = { readonly family: 4 | 6; readonly from: bigint; readonly to: bigint }

type Address = { readonly family: 4 | 6; readonly value: bigint }

const BITS = { 4: 32, 6: 128 } as const

/** Null for an invalid range, or one that ends before it begins. */
export function parseIpRange(text: string): IpRange | null {
  const trimmed = text.trim()
  const cidr = /^([^/]+)\/(\d{1,3})$/.exec(trimmed)
  if (cidr !== null) return ofPrefix(parseIp(cidr[1] ?? ''), Number(cidr[2]))
  const [first = '', second, ...more] = trimmed.split('-')
  const from = parseIp(first.trim())
  const to = second === undefined ? from : parseIp(second.trim())
  if (more.length > 0 || from === null || to === null || from.family !== to.family || from.value > to.value) return null
  return { family: from.family, from: from.value, to: to.value }
}

function ofPrefix(address: Address | null, prefix: number): IpRange | null {
  if (address === null || prefix > BITS[address.family]) return null
  const { family, value } = address
  const size = 1n << BigInt(BITS[family] - prefix)
  const from = value - (value % size)
  return { family, from, to: from + size - 1n }
}

/** An address as exchanges and connections have it; IPv4 within IPv6 (`::ffff:10.0.0.1`) is IPv4. Null for anything else. */
export function parseIp(text: string): Address | null {
  if (!text.includes(':')) {
    const value = v4(text)
    return value === null ? null : { family: 4, value }
  }
  const value = v6(text)
  if (value === null) return null
  return value >> 32n === 0xffffn ? { family: 4, value: value & 0xffff_ffffn } : { family: 6, value }
}

/** Whether the address of a connection is in one of these ranges; its zone (`fe80::1%eth0`) does not matter. */
export function isInRanges(ranges: readonly IpRange[], text: string): boolean {
  const address = parseIp(text.replace(/%.*$/, ''))
  return address !== null && ranges.some((range) => isInRange(range, address))
}

export const isInRange = ({ family, from, to }: IpRange, address: Address): boolean =>
  family === address.family && address.value >= from && address.value <= to

function v4(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return null
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n)
}

function v6(text: string): bigint | null {
  const halves = text.toLowerCase().split('::')
  if (halves.length > 2) return null
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const left = groups(head ?? [])
  const right = groups(tail ?? [])
  if (left === null || right === null) return null
  const missing = 8 - left.length - right.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null
  return [...left, ...Array.from({ length: missing }, () => 0n), ...right].reduce((value, group) => value * 65_536n + group, 0n)
}

/** Sixteen bits each; the last part may be an IPv4 address, which is two of them. */
function groups(parts: readonly string[]): readonly bigint[] | null {
  const found: bigint[] = []
  for (const [index, part] of parts.entries()) {
    const embedded = index === parts.length - 1 && part.includes('.') ? v4(part) : null
    if (embedded !== null) found.push(embedded >> 16n, embedded & 0xffffn)
    else if (/^[\da-f]{1,4}$/.test(part)) found.push(BigInt(`0x${part}`))
    else return null
  }
  return found
}
