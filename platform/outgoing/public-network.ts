import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Where requests may go whose addresses users of the product enter: the public internet alone, unless the operator allows more. */

/** Networks that are not the public internet: this machine, private and shared ones, link-local with its metadata services, tests. */
const NOT_PUBLIC = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [network = '', prefix] = range.split('/')
  NOT_PUBLIC.addSubnet(network, Number(prefix), 'ipv4')
}
// Within the one block of public IPv6: tunnels, which may lead to any IPv4 address, and documentation.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6')
const PUBLIC_IPV6 = new BlockList()
PUBLIC_IPV6.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is of the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !NOT_PUBLIC.check(address, 'ipv4')
  return family === 6 && PUBLIC_IPV6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
}

export const PRIVATE = 'The address leads to a network that is not public'
export class PrivateNetwork extends Error {}

/**
 * The one error for a name that does not exist and for one that leads to a private network: the difference would let a tenant list the
 * names of the operator's own network.
 */
export class UnknownName extends Error {
  readonly code = 'ENOTFOUND'
  constructor() {
    super('The name has no address on the public internet')
  }
}

/** Resolves a name for one connection, which is then made to the addresses that were checked: a second answer could be another one. */
export const publicLookup: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error.code === 'ENOTFOUND' ? new UnknownName() : error, '')
    const [first] = addresses
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) return done(new UnknownName(), '')
    return options.all === true ? done(null, addresses) : done(null, first.address, first.family)
  })

/** Ports of the web: any other would let a tenant scan servers from this machine. Keycloak listens on 8443. */
const PORTS = ['', '80', '443', '8443']

/**
 * Fault of an address before anything is resolved; null for a valid one. Plain http is for private networks unless allowed. Where
 * private networks are allowed, every port is.
 */
export function addressFault(url: string, allowPrivate: boolean, plainHttp = allowPrivate): string | null {
  const target = URL.canParse(url) ? new URL(url) : null
  if (target === null || (target.protocol !== 'https:' && !(plainHttp && target.protocol === 'http:')))
    return 'The address must begin with https://'
  if (target.username !== '' || target.password !== '') return 'The address must not hold a user name or password'
  if (!allowPrivate && !PORTS.includes(target.port)) return 'The port must be 80, 443 or 8443'
  const host = target.hostname.replace(/^\[|\]$/g, '')
  // A literal address is not resolved.
  return isIP(host) === 0 || allowPrivate || isPublicAddress(host) ? null : PRIVATE
}
