import type { FastifyInstance } from 'fastify'
import { createOwnSecrets, fault, versionOf } from '#api/areas/identity/profile/own-secrets'
import { keyDaysOf } from '#api/areas/white-label/white-labels'
import type { Call } from '#api/http/call'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { MOST_API_KEYS } from '#commands/identity/secrets'
import type { PersonRecord } from '#commands/identity/person'
import { refused } from '#commands/refused'
import * as contract from '#contract/api-keys'
import { endOfKey } from '#domain/kit/key-life'
import type { Served } from '#api/areas/services'

/** Why a key is not rotated, by what `rotate` answers. */
const NOT_ROTATED = {
  replaced: ['This key was replaced already', 'keyReplaced'],
  overlapping: ['The key that this one replaced still works. Revoke it, or wait until it ends.', 'keyOverlaps'],
} as const

/** The account that the session acts in, to which keys belong; null for home (fine print 93). */
function accountOf({ home_space_id }: PersonRecord, call: Pick<Call, 'identity'>): string | null {
  const { homeSpaceId } = personOf(call)
  return homeSpaceId === home_space_id ? null : homeSpaceId
}

/** The signed-in user's API keys (fine print 86). */
export function registerApiKeyRoutes(
  app: FastifyInstance,
  kit: Served<'apiKeys' | 'db' | 'limits' | 'people' | 'queueMail' | 'secondFactor' | 'security' | 'whiteLabels'>,
): void {
  const { apiKeys, guards, now, security, whiteLabels } = kit
  const { checkGiven, notify, ownRecord } = createOwnSecrets(kit)

  register(app, guards, contract.listApiKeys, async (call) =>
    (await apiKeys.list(personOf(call).userId, accountOf(await ownRecord(call), call))).map((row) => ({
      ...row,
      scopes: [...row.scopes],
    })),
  )

  register(app, guards, contract.createApiKey, async (call) => {
    const person = await ownRecord(call)
    const { name, scopes } = call.body
    await checkGiven(person, call.body)
    const most = keyDaysOf(whiteLabels, person.whitelabel_id)
    const expires_at = endOfKey(call.body, now(), most)
    if (expires_at === null) {
      const path = call.body.expires_at === undefined ? 'days' : 'expires_at'
      throw fault(path, `A key ends at one instant, within the next ${most} days`, 'keyEnd', { max: most })
    }
    const made = await apiKeys.create(person.id, versionOf(call), {
      name,
      scopes: [...new Set(scopes)],
      expires_at,
      spaceId: accountOf(person, call),
    })
    if (made === null) throw fault('name', `You have ${MOST_API_KEYS} keys. Revoke one first.`)
    await security.record('api-key-created', call, { key: made.id })
    await notify(person, 'api-key-created', { hint: made.key.slice(-4), until: expires_at })
    return made
  })

  register(app, guards, contract.rotateApiKey, async (call) => {
    const person = await ownRecord(call)
    const { id } = call.params
    const rotation = await apiKeys.rotate(person.id, versionOf(call), { id, most: keyDaysOf(whiteLabels, person.whitelabel_id) })
    if (rotation.kind === 'unknown') throw refused(131)
    if (rotation.kind !== 'made') {
      const [message, key] = NOT_ROTATED[rotation.kind]
      throw fault('id', message, key)
    }
    const { made, replaced_until } = rotation
    await security.record('api-key-created', call, { key: made.id, replaces: id })
    await notify(person, 'api-key-created', { hint: made.key.slice(-4), until: made.expires_at })
    return { ...made, replaced_until }
  })

  register(app, guards, contract.revokeApiKey, async (call) => {
    if (!(await apiKeys.revoke(personOf(call).userId, call.params.id))) throw refused(131)
    await security.record('api-key-revoked', call, { key: call.params.id })
    return {}
  })
}
