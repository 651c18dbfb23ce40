import type { FastifyInstance } from 'fastify'
import { reachOf, type Actor } from '#domain/kit/access'
import type { Fault } from '#domain/kit/errors'
import { createCredential, listCredentials, revokeCredential, rotateCredential } from '#contract/service-credential'
import { endOfKey } from '#domain/kit/key-life'
import { keyDaysOf } from '#api/areas/white-label/white-labels'
import { personOf } from '#api/http/person'
import type { Served } from '#api/areas/services'
import { register } from '#api/http/register'
import { Refused, refused } from '#commands/refused'

/** Why a credential is not rotated, by what `rotate` answers. */
const NOT_ROTATED = {
  replaced: ['This credential was replaced already', 'keyReplaced'],
  overlapping: ['The credential that this one replaced still works. Revoke it, or wait until it ends.', 'keyOverlaps'],
} as const

/** Credentials of exchanges and bidders. */
export function registerCredentialRoutes(
  app: FastifyInstance,
  { credentials, guards, now, security, whiteLabels }: Served<'credentials' | 'security' | 'whiteLabels'>,
): void {
  const reach = (actor: Actor): string | null => (reachOf(actor, 'credential.manage') === 'all' ? null : actor.whitelabelId)

  register(app, guards, createCredential, async (call) => {
    const actor = personOf(call)
    const { name, kind, exchange = null, days, expires_at } = call.body
    const most = keyDaysOf(whiteLabels, actor.whitelabelId)
    const until = endOfKey({ days, expires_at }, now(), most)
    const faults: Fault[] = []
    if (until === null) {
      const message = `A credential ends at one instant, within the next ${most} days`
      faults.push({ path: days === undefined ? 'expires_at' : 'days', code: 2, message, key: 'keyEnd', params: { max: most } })
    }
    if ((exchange !== null) !== (kind === 'exchange'))
      faults.push({ path: 'exchange', code: 2, message: 'An exchange is named by the kind exchange, and by it alone' })
    if (until === null || faults.length > 0) throw new Refused({ code: 2, faults })
    const wanted = { name, kind, exchange, whitelabelId: actor.whitelabelId, created_by: actor.userId, expires_at: until }
    const { id, secret } = await credentials.create(wanted)
    await security.record('credential-created', call, { credential: id, kind, exchange, expires_at: until })
    return { id, secret, expires_at: until }
  })

  register(app, guards, listCredentials, async (call) => [...(await credentials.list(reach(personOf(call))))])

  register(app, guards, rotateCredential, async (call) => {
    const actor = personOf(call)
    const { id } = call.params
    const mostOf = (whitelabelId: string) => keyDaysOf(whiteLabels, whitelabelId)
    const rotation = await credentials.rotate({ id, whitelabelId: reach(actor), by: actor.userId, mostOf })
    if (rotation.kind === 'unknown') throw refused(131)
    if (rotation.kind !== 'made') {
      const [message, key] = NOT_ROTATED[rotation.kind]
      throw refused(2, [{ path: 'id', code: 2, message, key }])
    }
    const { made, replaced_until } = rotation
    await security.record('credential-created', call, { credential: made.id, replaces: id, expires_at: made.expires_at })
    return { id: made.id, secret: made.secret, expires_at: made.expires_at, replaced_until }
  })

  register(app, guards, revokeCredential, async (call) => {
    const { id } = call.params
    if (!(await credentials.revoke(id, reach(personOf(call))))) throw refused(131)
    await security.record('credential-revoked', call, { credential: id })
    return {}
  })
}
