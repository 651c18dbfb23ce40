import { ConfigFault } from '#commands/config-fault'

const PREFIX = 'PLACARD_'
/** Variables that Kubernetes adds to every container beside a Service that is named after the product. */
const OF_A_SERVICE = /^PLACARD_(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/
const ADDRESS_OF_A_SERVICE = /^(tcp|udp|sctp):\/\//

/** Refuses a PLACARD_* name that no setting has: a misspelt one would be ignored in silence. */
export function refuseUnknown(env: Readonly<Record<string, string | undefined>>, known: readonly string[]): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || known.includes(name) || OF_A_SERVICE.test(name) || ADDRESS_OF_A_SERVICE.test(value)) continue
    throw new ConfigFault(`${name}: is no setting. Did you mean ${nearest(name, known)}?`)
  }
}

const pairsIn = (name: string): readonly string[] => {
  const text = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name
  return Array.from({ length: Math.max(1, text.length - 1) }, (_, i) => text.slice(i, i + 2))
}

/** By the share of pairs of letters that two names have in common, without their prefix (Dice). */
function nearest(name: string, known: readonly string[]): string {
  const own = pairsIn(name)
  const alike = (other: string) => {
    const pairs = pairsIn(other)
    return (2 * own.filter((pair) => pairs.includes(pair)).length) / (own.length + pairs.length)
  }
  return known.reduce((best, other) => (alike(other) > alike(best) ? other : best))
}

/**
 * Refuses an address whose user or password holds a character that ends one in a URL: what follows would be read as the host, and
 * printed as such.
 */
export function refuseUnencoded(name: string, text: string | undefined): void {
  if (text === undefined) return
  const [, authority = '', rest = ''] = /^[a-z+.-]+:\/\/([^/?#]*)(.*)$/i.exec(text) ?? []
  const path = rest.split('?', 1)[0] ?? ''
  // A host, or several, with ports: `?from=ads@example.com` may follow.
  const isHosts = authority.split(',').every((host) => /^(\[[\da-f:.]+\]|[^:[\]]*)(:\d*)?$/i.test(host))
  const isCut = authority.includes('@') ? path.includes('@') || authority.split('@').length > 2 : path.includes('@') || !isHosts
  // One host is enough to see whether the rest can be read; that of a socket is empty.
  if (isCut || !URL.canParse(text.replace(/,[^/]*/, '').replace('@/', '@socket/')))
    throw new ConfigFault(
      `${name}: cannot be read. Percent-encode the user and the password: @ is %40, / is %2F, : is %3A, # is %23, ? is %3F, % is %25`,
    )
}
