import type { FastifyInstance } from 'fastify'
import { reachOf } from '../../../domain/kit/access.ts'
import { readSecurityEvents } from '../../contract/security.ts'
import { personOf } from '../../kit/person.ts'
import type { HttpKit } from '../../kit/kit.ts'
import { identityOf, register } from '../../kit/register.ts'
import { networkOf } from '../../kit/limits/network.ts'

/** Statuses that are security events in any call. */
const REFUSALS = [401, 403, 429]
/** Sign-ins are recorded separately, with the address. */
const SIGN_IN = '/v1/oauth/token'
const DEFAULT_LIMIT = 100

/** The log of security events, and the refusals recorded in it. */
export function registerSecurityRoutes(app: FastifyInstance, { guards, security, whiteLabels }: HttpKit): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = reply.statusCode
    if (!REFUSALS.includes(status) || (status === 401 && route === SIGN_IN)) return
    security.refused(identityOf(request), whiteLabels.ofHost(request.hostname).id, networkOf(request.ip), {
      route: `${request.method} ${route}`,
      status,
    })
  })

  register(app, guards, readSecurityEvents, async (call) => {
    const actor = personOf(call)
    const whitelabelId = reachOf(actor, 'security.read') === 'all' ? null : actor.whitelabelId
    return [...(await security.read(BigInt(call.query.after ?? '0'), call.query.limit ?? DEFAULT_LIMIT, whitelabelId))]
  })
}
