import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

export type Origins = {
  /** Origin under which browsers reach the application; null when unknown. */
  readonly publicOrigin: string | null
  /** Origin of user content; null: the application's own. */
  readonly contentOrigin: string | null
  /** Null: no provider of payments whose script pages may load. */
  readonly stripe: object | null
}

/** The page with the provider's form for cards; the policy of every other page forbids its script. */
const CARDS_PAGE = '/payments/history'
/** The application uses none of these. Payment stays allowed for its own pages: Stripe's form uses it. */
const PERMISSIONS = 'accelerometer camera display-capture geolocation gyroscope magnetometer microphone midi usb'
  .split(' ')
  .map((feature) => `${feature}=()`)
  .join(', ')

/** Sources that Stripe's script needs (its documentation, "Content security policy"). */
const STRIPE_SOURCES: readonly (readonly [directive: string, sources: string])[] = [
  ['script-src', 'https://js.stripe.com https://*.js.stripe.com'],
  ['frame-src', 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com'],
  ['connect-src', 'https://api.stripe.com'],
]

const withStripe = (policy: string): string =>
  STRIPE_SOURCES.reduce(
    (opened, [directive, sources]) => opened.replace(new RegExp(`${directive} [^;]*`), `$& ${sources}`),
    policy,
  )

/** Paths of the application's own scripts. `'self'` would also allow user content, which may be served from the same host. */
const SCRIPTS = ['/assets/', '/first.js', '/app-config.js', '/docs/static/', '/help/docs/assets/']
const SELF_SCRIPTS = "script-src 'self'"
const POLICY = 'content-security-policy'

/**
 * Sets helmet's headers on every answer. A route may replace them with `reply.header`, or remove them with
 * `reply.raw.removeHeader`.
 */
export function installSecurityHeaders(app: FastifyInstance, { publicOrigin, contentOrigin, stripe }: Origins): void {
  const content = contentOrigin === null ? [] : [contentOrigin]
  const guard = helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Radix's scroll lock and the toaster inject style elements.
        styleSrc: ["'self'", "'unsafe-inline'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...content],
        // The browser measures a video before the upload.
        mediaSrc: ["'self'", 'blob:', ...content],
        // Files are asked for their type.
        connectSrc: ["'self'", ...content],
        frameSrc: ["'self'", 'blob:', ...content],
        objectSrc: ["'none'"],
        upgradeInsecureRequests: null,
      },
    },
    // Only where the application is known to be served over https. White-labels are names below its host (`createLinks`).
    strictTransportSecurity: publicOrigin?.startsWith('https:') === true && { maxAge: 31_536_000, includeSubDomains: true },
  })
  /** Restricts scripts to the application's paths, on the requested host and on the public one. */
  function withScriptPaths(policy: string, host: string): string {
    // Paths need a host, and a proxy may have rewritten it: a wrong host would leave the page blank. Without a public origin, and
    // on IPv6 addresses, which a policy cannot name, all paths stay allowed; serving.ts then refuses scripts of users.
    if (publicOrigin === null || !/^[a-z0-9.-]+(:\d+)?$/i.test(host)) return policy
    const bases = [host, publicOrigin]
    return policy.replace(SELF_SCRIPTS, `script-src ${bases.flatMap((base) => SCRIPTS.map((path) => base + path)).join(' ')}`)
  }

  app.addHook('onRequest', (request, { raw }, done) => {
    guard(request.raw, raw, (error) => {
      if (error !== undefined) return done(error instanceof Error ? error : new Error('helmet failed', { cause: error }))
      const policy = withScriptPaths(String(raw.getHeader(POLICY)), request.host)
      const hasCards = stripe !== null && request.url.split('?', 1)[0] === CARDS_PAGE
      raw.setHeader('Permissions-Policy', PERMISSIONS)
      raw.setHeader(POLICY, hasCards ? withStripe(policy) : policy)
      done()
    })
  })
}
