import { queryOptions } from '@tanstack/react-query'
import { redeemSignOn, signOnOffers, startSignOn } from '#contract/single-sign-on'
import { domainOfAddress } from '#domain/single-sign-on/domains'
import { call } from '@/data/client'

/** Single sign-on as the browser sees it: a way to the provider, and a code in the fragment on the way back. */

const FRAGMENT = /^#?sign-on=([\w-]{1,100})$/

export const signOnQueries = {
  /** The providers of the white-label of this host. */
  offers: () =>
    queryOptions({ queryKey: ['sign-on'], queryFn: ({ signal }) => call(signOnOffers, { query: {}, signal }), retry: false }),
}

/** The provider that an address has to use; null where its password works. */
export async function requiredProvider(address: string): Promise<string | null> {
  const domain = domainOfAddress(address)
  if (domain === null) return null
  return (await call(signOnOffers, { query: { domain } })).required
}

/** Leaves the application for a provider, which leads back to the page `to`. */
export function leaveFor(provider: string, to: string) {
  const path = startSignOn.path.replace(':id', encodeURIComponent(provider))
  globalThis.location.assign(`${path}?to=${encodeURIComponent(to)}`)
}

/** The code that a provider's answer has put into the address; null without one. */
export const codeIn = (hash: string): string | null => FRAGMENT.exec(hash)?.[1] ?? null

export const redeem = (code: string) => call(redeemSignOn, { body: { code } })

/** Ends the session that a new one has replaced. Few sign-ins do, so the call is loaded when it is made. */
export async function endReplaced(session: string): Promise<void> {
  const { endSession } = await import('#contract/profile')
  await call(endSession, { params: { id: session } }).catch(() => undefined)
}
