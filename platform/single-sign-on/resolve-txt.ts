import dns from 'node:dns'

/** A look-up that takes longer has no answer, milliseconds; it is tried twice. */
const WITHIN_MS = 3000

/** TXT records of a domain, each in its parts; none where the domain has none, or no server answers. */
export async function resolveTxt(domain: string): Promise<readonly (readonly string[])[]> {
  const resolver = new dns.promises.Resolver({ timeout: WITHIN_MS, tries: 2 })
  // Those of the process, which may differ from the machine's.
  resolver.setServers(dns.getServers())
  return resolver.resolveTxt(domain).catch(() => [])
}
