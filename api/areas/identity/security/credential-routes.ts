import type { FastifyInstance } from 'fastify'
import { reachOf, type Actor } from '#domain/kit/access'
import type { Fault } from '#domain/kit/errors'
import { createCredential, listCredentials, revokeCredential } from '#contract/service-credential'
import { personOf } from '#api/http/person'
import type { IdentitySecurityServed } from './uses.ts'
import { register } from '#api/http/register'
import { Refused, refused } from '#commands/refused'

/** Longest life of a credential, days. */
const LONGEST_DAYS = 400
const DAY_MS = 86_400_000

/** Credentials of exchanges and bidders. */
export function registerCredentialRoutes(
  app: FastifyInstance,
  { credentials, guards, now, security }: IdentitySecurityServed,
): void {
  const reach = (actor: Actor): string | null => (reachOf(actor, 'credential.manage') === 'all' ? null : actor.whitelabelId)

  register(app, guards, createCredential, async (call) => {
    const actor = personOf(call)
    const { name, kind, exchange = null, expires_at } = call.body
    const expires = Date.parse(expires_at)
    const time = Date.parse(now())
    const faults: Fault[] = []
    if (!(expires > time && expires <= time + LONGEST_DAYS * DAY_MS))
      faults.push({ path: 'expires_at', code: 2, message: `Must be a time within the next ${LONGEST_DAYS} days` })
    if ((exchange !== null) !== (kind === 'exchange'))
      faults.push({ path: 'exchange', code: 2, message: 'An exchange is named by the kind exchange, and by it alone' })
    if (faults.length > 0) throw new Refused({ code: 2, faults })
    const until = new Date(expires).toISOString()
    const wanted = { name, kind, exchange, whitelabelId: actor.whitelabelId, created_by: actor.userId, expires_at: until }
    const { id, secret } = await credentials.create(wanted)
    await security.record('credential-created', call, { credential: id, kind, exchange, expires_at: until })
    return { id, secret, expires_at: until }
  })

  register(app, guards, listCredentials, async (call) => [...(await credentials.list(reach(personOf(call))))])

  register(app, guards, revokeCredential, async (call) => {
    const { id } = call.params
    if (!(await credentials.revoke(id, reach(personOf(call))))) throw refused(131)
    await security.record('credential-revoked', call, { credential: id })
    return {}
  })
}
