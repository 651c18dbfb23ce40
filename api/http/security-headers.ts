import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

const guard = helmet({
  contentSecurityPolicy: {
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      // Radix's scroll lock and the toaster inject style elements.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      // A video is measured before it is sent.
      mediaSrc: ["'self'", 'blob:'],
      connectSrc: ["'self'"],
      frameSrc: ["'self'", 'blob:'],
      objectSrc: ["'none'"],
      upgradeInsecureRequests: null,
    },
  },
  strictTransportSecurity: false,
})

/** A year; only where the application is known to be reached over https. */
const HSTS = { 'strict-transport-security': 'max-age=31536000' }

/**
 * What browsers are told of every answer. They are the same words each time, so they are made once: made for every request they are a
 * twentieth of what a save costs. An answer may replace or remove what does not suit it.
 */
export function installSecurityHeaders(app: FastifyInstance, { publicOrigin }: { readonly publicOrigin: string | null }): void {
  const sample = new ServerResponse(new IncomingMessage(new Socket()))
  guard(sample.req, sample, (fault) => {
    if (fault !== undefined) throw fault
  })
  const headers = { ...sample.getHeaders(), ...(publicOrigin?.startsWith('https:') === true ? HSTS : {}) }
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers)
    done()
  })
}
