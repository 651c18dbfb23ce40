import type { AddressFault } from '#domain/campaign/review/followed-addresses'
import type { GuardedFetch } from './guarded-fetch.ts'
import { PrivateNetwork } from './public-network.ts'

/** How long a result holds, milliseconds: a dead page may be mended within minutes. */
const HOLDS_MS = { alive: 24 * 3_600_000, dead: 10 * 60_000 } as const
/** Results that a process remembers, and checks that it makes at once. */
const MOST = { results: 1000, atOnce: 8, redirects: 5 } as const
/** Between two tries of an address that fails. */
const PAUSE_MS = 1000
const HEADERS = { 'user-agent': 'Placard (address check)', accept: '*/*' }

/** Statuses of pages that do not exist. Others below 500 are an answer: many sites refuse programs. */
const GONE = [404, 410]
/** The name does not exist. Other faults of a resolver are its own. */
const NO_NAME = ['ENOTFOUND']
/** The operator's network is down, which says nothing of the page. */
const OWN_FAULTS = ['EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE']
const CERTIFICATE = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/

type AddressChecksOptions = {
  /** Answers with headers alone. */
  readonly fetch: GuardedFetch
  /** Milliseconds of a clock. */
  readonly clock?: () => number
  readonly pauseMs?: number
}

/** Known fault of an address; null for one without a fault. Undefined while it is being checked. */
export type AddressChecks = { readonly faultOf: (address: string) => AddressFault | null | undefined }

/**
 * Asks addresses of submissions whether a page answers (fine print 108). Asking for one starts its check. Of many who ask, one checks;
 * what cannot start now starts when it is asked for again. Each process remembers its own results, and forgets the oldest.
 */
export function createAddressChecks({ fetch, clock = Date.now, pauseMs = PAUSE_MS }: AddressChecksOptions): AddressChecks {
  const results = new Map<string, { readonly fault: AddressFault | null; readonly until: number }>()
  const running = new Set<string>()

  async function check(address: string): Promise<void> {
    let fault = await faultAt(fetch, address)
    if (fault !== null) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
      fault = await faultAt(fetch, address)
    }
    results.delete(address)
    // An address without a result is checked again as soon as a dead one.
    results.set(address, { fault: fault ?? null, until: clock() + HOLDS_MS[fault === null ? 'alive' : 'dead'] })
    const [oldest] = results.keys()
    if (results.size > MOST.results && oldest !== undefined) results.delete(oldest)
  }

  return {
    faultOf(address) {
      const known = results.get(address)
      if (known !== undefined && known.until > clock()) return known.fault
      if (!running.has(address) && running.size < MOST.atOnce) {
        running.add(address)
        void check(address).finally(() => running.delete(address))
      }
      return undefined
    },
  }
}

/** Follows an address to its page; undefined where nothing is learned of it. Never rejects. */
async function faultAt(fetch: GuardedFetch, address: string): Promise<AddressFault | null | undefined> {
  let at = address
  for (let hops = 0; hops <= MOST.redirects; hops++) {
    try {
      const { status, headers } = await fetch(at, { headers: HEADERS })
      const next = status >= 300 && status < 400 ? headers.get('location') : null
      if (next === null) return faultOfStatus(status)
      if (!URL.canParse(next, at)) return 'not_found'
      at = new URL(next, at).href
      // A page of an app store may open the application.
      if (!/^https?:/.test(at)) return null
    } catch (error) {
      return faultOfError(error)
    }
  }
  return 'redirects'
}

function faultOfStatus(status: number): AddressFault | null {
  if (GONE.includes(status)) return 'not_found'
  return status >= 500 ? 'server_error' : null
}

function faultOfError(error: unknown): AddressFault | undefined {
  if (error instanceof PrivateNetwork) return 'not_public'
  const { code = '' } = error as { readonly code?: string }
  if (OWN_FAULTS.includes(code)) return undefined
  if (NO_NAME.includes(code)) return 'no_name'
  if (CERTIFICATE.test(code)) return 'certificate'
  // An address that may not be fetched, as one with a password, has no code and is no fault of the page.
  return code === '' ? undefined : 'no_answer'
}
