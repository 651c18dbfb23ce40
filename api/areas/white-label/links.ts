import type { WhiteLabels } from '#commands/white-label/white-labels'

/** Addresses of the application's pages, for mails and command lines. */
export type Links = {
  /** Origin of the application for users of a white-label. */
  readonly originOf: (whitelabelId: string) => string
  /** Sets the address that the product listens on, once it does. */
  readonly listensOn: (address: string) => void
}

type LinksDeps = {
  readonly publicOrigin: string | null
  readonly port: number
  readonly whiteLabels: Pick<WhiteLabels, 'ofHost'>
}

/**
 * Addresses from PLACARD_PUBLIC_URL, else from where the product listens (fine print 57). They never depend on a request: its Host
 * header is the sender's choice. The first label of the host names the white-label: `https://ads.example` and the white-label
 * `ng` make `https://ng.ads.example`.
 */
export function createLinks({ publicOrigin, port, whiteLabels }: LinksDeps): Links {
  let origin = publicOrigin ?? `http://127.0.0.1:${port}`
  return {
    originOf: (whitelabelId) => originFor(origin, whitelabelId, (hostname) => whiteLabels.ofHost(hostname).id),
    listensOn(address) {
      if (publicOrigin === null) origin = address
    },
  }
}

function originFor(origin: string, whitelabelId: string, idOfHost: (hostname: string) => string): string {
  const url = new URL(origin)
  const named = idOfHost(url.hostname)
  if (named === whitelabelId) return url.origin
  const [first = '', ...rest] = url.hostname.split('.')
  // Browsers resolve every name under localhost to this machine, and no name under an IP address.
  const isAddress = /^[\d.]+$|^\[/.test(url.hostname)
  if (isAddress) url.hostname = `${whitelabelId}.localhost`
  else url.hostname = first === named ? [whitelabelId, ...rest].join('.') : `${whitelabelId}.${url.hostname}`
  return url.origin
}
