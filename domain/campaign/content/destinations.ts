import { addedQuery } from '#domain/kit/addresses'

/** Click and tracking addresses of an advertisement (fine print 42). */

/** Names that resolve inside a network, never on the public internet. */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'lan', 'home', 'corp', 'private', 'arpa']

/** Control characters, and characters that are invisible or reorder the text around them. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/u

const AUTHORITY = /^https?:\/\/([^/?#]*)/i

/** True for an http or https address without spaces, at most 5,000 characters long; `secure` accepts https alone. */
export function isAddress(text: string, secure: boolean): boolean {
  if (/\s/.test(text) || text.length > 5000) return false
  return (secure ? /^https:\/\/[^/?#]+/i : /^https?:\/\/[^/?#]+/i).test(text)
}

/**
 * True when the address is unambiguous and leads to a public host: no user name, backslash or hidden character, and no name or
 * address of a private network. Expects an address accepted by `isAddress`.
 */
export function isPublicAddress(text: string): boolean {
  if (HIDDEN.test(text) || text.includes('\\')) return false
  const authority = AUTHORITY.exec(text)?.[1] ?? ''
  const found = /^(\[[^\]]*\]|[^:[\]@]+)(?::(\d{1,5}))?$/.exec(authority)
  return found !== null && Number(found[2] ?? 0) <= 65_535 && isPublicHost(found[1] ?? '')
}

function isPublicHost(written: string): boolean {
  // Browsers normalise compatibility characters, such as fullwidth digits, to plain ones.
  const host = written.normalize('NFKC').toLowerCase()
  if (host.startsWith('[')) return isPublicIpv6(host.slice(1, -1))
  const labels = host.replace(/\.$/, '').split('.')
  const last = labels.at(-1) ?? ''
  if (/^(\d+|0x[\da-f]*)$/.test(last)) return isPublicIpv4(labels)
  if (labels.length < 2 || PRIVATE_SUFFIXES.includes(last)) return false
  return labels.every((label) => /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}])?$/u.test(label))
}

/** First bits of the ranges that are private, local, shared, reserved or multicast (IANA special-purpose registry). */
const RESERVED_IPV4: readonly (readonly [first: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
]

/** Four plain decimal parts. Browsers read octal, hexadecimal and shortened forms as addresses as well: those are refused. */
function isPublicIpv4(parts: readonly string[]): boolean {
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return false
  const address = numberOf(parts)
  return !RESERVED_IPV4.some(([first, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(address / size) === Math.floor(numberOf(first.split('.')) / size)
  })
}

const numberOf = (parts: readonly string[]): number => parts.reduce((sum, part) => sum * 256 + Number(part), 0)

/** Global unicast (2000::/3), without the ranges that carry an IPv4 address within (2001::/32, 2002::/16). */
const isPublicIpv6 = (address: string): boolean =>
  /^[23][\da-f]{3}:[\da-f:]*$/.test(address) && !/^(2002:|2001:(0{0,4}):)/.test(address) && !/:::|::.*::/.test(address)

/**
 * True for a template of attribution tags: a query, alone or in the product address. In another address it would be a
 * destination that no moderator has reviewed.
 */
export function isAttributionTemplate(tags: string, productUrl: string | null): boolean {
  if (HIDDEN.test(tags) || tags.includes('\\') || /\s/.test(tags)) return false
  if (productUrl !== null && addedQuery(productUrl, tags) !== null) return true
  const query = productUrl !== null && tags.startsWith(productUrl) ? tags.slice(productUrl.length) : tags
  // After an address, the rest must begin a query: `https://shop.example` does not approve `https://shop.example.evil.example`.
  const behind = query !== tags
  if (behind) return query === '' || /^[?&]/.test(query) || /[?&]$/.test(productUrl ?? '')
  return query === '' || /^[?&]?[\w.[\]{}%~-]+=/.test(query)
}
