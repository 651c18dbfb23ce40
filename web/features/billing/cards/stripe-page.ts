import type { Stripe } from '@stripe/stripe-js'

/** The page that may load Stripe's script: the content security policy of every other page forbids it. */
const PAGE = '/payments/history'

/** The address that this document was loaded under: moving within the application keeps its policy. */
const loadedUnder = (): string => {
  const [entry] = performance.getEntriesByType('navigation')
  return entry === undefined ? location.pathname : new URL(entry.name, location.href).pathname
}

/** True on the page that may load Stripe's script. Otherwise loads that page, where the dialog opens by itself, and returns false. */
export function isStripePage(open: 'card' | 'refill', spaceId: string): boolean {
  if (loadedUnder() === PAGE) return true
  location.assign(`${PAGE}?${new URLSearchParams({ tab: 'cards', open, space: spaceId }).toString()}`)
  return false
}

let loading: Promise<Stripe | null> | null = null

/** Stripe's script, loaded at its first use. Null where the browser blocks it. */
export function loadStripeScript(publishableKey: string): Promise<Stripe | null> {
  loading ??= import('@stripe/stripe-js/pure')
    .then(({ loadStripe }) => loadStripe(publishableKey))
    .catch(() => {
      loading = null
      return null
    })
  return loading
}
