import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/http'
import { notFound } from './envelope.ts'

/**
 * Serves user content from its own origin, and nothing else there, so that scripts of users never share the application's origin.
 * The application's hosts redirect to it; the content host answers 404 to every other call.
 */
export function separateUserContent(app: FastifyInstance, contentOrigin: string, endpoints: readonly Endpoint[]): void {
  const contentHost = new URL(contentOrigin).host
  const content = new Set(endpoints.filter(({ userContent }) => userContent === true).map(({ path }) => path))
  app.addHook('onRequest', async (request, reply) => {
    // Decided by route, not by address: an address has many spellings.
    const isContent = content.has(request.routeOptions.url ?? '')
    const isThere = request.host.toLowerCase() === contentHost
    if (isContent === isThere) return undefined
    if (isThere || !request.url.startsWith('/')) return notFound(reply, [])
    return reply.header('Cache-Control', 'no-store').redirect(contentOrigin + request.url, 307)
  })
}
