import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

export type Origins = {
  /** Origin under which browsers reach the application; null when it is not known. */
  readonly publicOrigin: string | null
  /** Origin of user content; null: the application's own. */
  readonly contentOrigin: string | null
}

/** Where the application's own scripts are. User content is served from elsewhere on the same host, which `'self'` would allow too. */
const SCRIPTS = ['/assets/', '/first.js', '/app-config.js', '/docs/docs.js']
const SELF_SCRIPTS = "script-src 'self'"

/** A year; only where the application is known to be reached over https. */
const HSTS = { 'strict-transport-security': 'max-age=31536000' }

/** Hosts whose headers are remembered at most. */
const REMEMBERED = 100

/**
 * What browsers are told of every answer. They are the same words each time for one host, so they are made once: made for every request
 * they are a twentieth of what a save costs. An answer may replace or remove what does not suit it.
 */
export function installSecurityHeaders(app: FastifyInstance, { publicOrigin, contentOrigin }: Origins): void {
  const content = contentOrigin === null ? [] : [contentOrigin]
  const guard = helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Radix's scroll lock and the toaster inject style elements.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...content],
        // A video is measured before it is sent.
        mediaSrc: ["'self'", 'blob:', ...content],
        connectSrc: ["'self'"],
        frameSrc: ["'self'", 'blob:', ...content],
        objectSrc: ["'none'"],
        upgradeInsecureRequests: null,
      },
    },
    strictTransportSecurity: false,
  })
  const sample = new ServerResponse(new IncomingMessage(new Socket()))
  guard(sample.req, sample, (fault) => {
    if (fault !== undefined) throw fault
  })
  const common = { ...sample.getHeaders(), ...(publicOrigin?.startsWith('https:') === true ? HSTS : {}) }
  const policy = String(common['content-security-policy'])

  /** The policy with the paths of the application's scripts, on the host that was asked and on the public one. */
  function policyFor(host: string): string {
    // Paths need a host, and a proxy may have rewritten the one that browsers use: a policy that names the wrong one leaves the page blank.
    // Without a public address all paths stay allowed, and what serving.ts refuses keeps scripts of users out; so too on IPv6 addresses, which
    // a policy cannot name.
    if (publicOrigin === null || !/^[a-z0-9.-]+(:\d+)?$/i.test(host)) return policy
    const bases = [host, publicOrigin]
    return policy.replace(SELF_SCRIPTS, `script-src ${bases.flatMap((base) => SCRIPTS.map((path) => base + path)).join(' ')}`)
  }

  const known = new Map<string, Readonly<Record<string, number | string | string[] | undefined>>>()
  app.addHook('onRequest', (request, reply, done) => {
    const { host } = request
    let headers = known.get(host)
    if (headers === undefined) {
      headers = { ...common, 'content-security-policy': policyFor(host) }
      if (known.size >= REMEMBERED) known.clear()
      known.set(host, headers)
    }
    void reply.headers(headers)
    done()
  })
}
