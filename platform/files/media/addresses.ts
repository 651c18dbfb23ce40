import type { BannerArchive } from '#commands/files/media'

/** Addresses of other hosts in the texts of an HTML banner. */
export type Addresses = {
  /** Adds an address that a click leads to. */
  readonly link: () => void
  /** Adds an address from which a part of the banner is loaded. */
  readonly load: (address: string) => void
}

/** Hosts that a warning names. */
const MOST_HOSTS = 10

export type FoundAddresses = Pick<BannerArchive, 'clickLinks' | 'externalHosts'>

/** Collects what is found in all texts of a banner. */
export function createAddresses(): Addresses & { readonly found: () => FoundAddresses } {
  const hosts = new Set<string>()
  let clickLinks = false
  return {
    link: () => void (clickLinks = true),
    load(address) {
      const host = hostOf(address)
      if (host !== null && hosts.size < MOST_HOSTS) hosts.add(host)
    },
    found: () => ({ clickLinks, externalHosts: [...hosts] }),
  }
}

/** A host as a header and a page may show it: ASCII, at most 253 characters, with a dot. Null for anything else. */
function hostOf(address: string): string | null {
  const written = address.replaceAll('\\', '/')
  const whole = written.startsWith('//') ? `https:${written}` : written
  if (!URL.canParse(whole)) return null
  const { hostname } = new URL(whole)
  return /^[a-z\d._-]{1,253}$/.test(hostname) && hostname.includes('.') ? hostname : null
}

/** An address with a host: `https:`, `http:` or `//`. Browsers read a backslash as a slash. */
export const ABSOLUTE = /^(?:https?:|[/\\]{2})/i

/** The path of an address ends like a file that pages load. */
export const isLoadable = (address: string): boolean =>
  /\.(?:m?js|css|json|png|jpe?g|gif|webp|avif|svg|mp4|webm|mp3|woff2?|ttf|otf)(?:[?#]|$)/i.test(address.slice(0, 500))

const IN_STYLE = /(?:\burl\(\s{0,20}["']?|@import\s{1,20}["'])\s{0,20}((?:https?:)?\/\/[^\s"')]{1,500})/gi

/** Finds what a style sheet loads. */
export function addressesInStyle(text: string, { load }: Addresses): void {
  for (const [, address = ''] of text.matchAll(IN_STYLE)) load(address)
}
