import type { FastifyInstance } from 'fastify'
import { reachOf } from '#domain/kit/access'
import { readSecurityEvents } from '#contract/security'
import { refused } from '#commands/refused'
import { personOf } from '#api/http/person'
import type { Served } from '#api/areas/services'
import { fieldsIn, RECORDED_CALLS } from './recorded-calls.ts'
import { notedChanges } from '#api/http/recorded-changes'
import { identityOf, register } from '#api/http/register'
import { networkOf } from '#api/http/limits/network'
import { beginning } from '#domain/kit/text'

/** Statuses that are security events in any call. */
const REFUSALS = [401, 403, 429]
/** Sign-ins are recorded separately, with the address. */
const SIGN_IN = '/v1/oauth/token'
const METRICS = '/metrics'
const DEFAULT_LIMIT = 100

/** The log of security events, and the refusals recorded in it. */
export function registerSecurityRoutes(
  app: FastifyInstance,
  { guards, people, security, whiteLabels }: Served<'people' | 'security' | 'whiteLabels'>,
): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = reply.statusCode
    // A monitor without the token asks every few seconds, and reads nothing that is anyone's.
    if (!REFUSALS.includes(status) || (status === 401 && route === SIGN_IN) || route === METRICS) return
    security.refused(identityOf(request), whiteLabels.ofHost(request.hostname).id, networkOf(request.ip), {
      route: `${request.method} ${route}`,
      status,
    })
  })

  app.addHook('onSend', async (request, reply) => {
    const { endpointId } = request.routeOptions.config as { readonly endpointId?: string }
    const type = endpointId === undefined ? undefined : RECORDED_CALLS[endpointId]
    if (type === undefined || reply.statusCode >= 300) return
    const { id } = request.params as { readonly id?: string }
    const caller = {
      identity: identityOf(request),
      network: networkOf(request.ip),
      whiteLabel: whiteLabels.ofHost(request.hostname),
    }
    const details = {
      call: endpointId ?? '',
      target: id === undefined ? null : beginning(id, 100),
      fields: fieldsIn(request.body),
      ...(notedChanges(request) === '' ? {} : { changes: notedChanges(request) }),
    }
    // The call has been carried out: a database that went away since must not make it an error.
    await security
      .record(type, caller, details)
      .catch((error: unknown) => request.log.error({ err: error }, 'a security event was not stored'))
  })

  register(app, guards, readSecurityEvents, async (call) => {
    const actor = personOf(call)
    const whitelabelId = reachOf(actor, 'security.read') === 'all' ? null : actor.whitelabelId
    // System administrators belong to the default white-label, but not to what its owner may read.
    const withoutAdministrators = !actor.roles.some((role) => role === 'SYSTEM_ADMIN' || role === 'AUDITOR')
    const { order = 'asc', after, before } = call.query
    if (order === 'asc' ? before !== undefined : after !== undefined) throw refused(2)
    const from = order === 'asc' ? { after: BigInt(after ?? '0') } : { before: before === undefined ? null : BigInt(before) }
    const events = await security.read(from, call.query.limit ?? DEFAULT_LIMIT, { whitelabelId, withoutAdministrators })
    const names = await people.namesOf([...new Set(events.flatMap(({ person_id: id }) => id ?? []))])
    return events.map((event) => ({ ...event, person_name: names.get(event.person_id ?? '')?.name ?? null }))
  })
}
