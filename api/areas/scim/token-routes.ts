import type { FastifyInstance } from 'fastify'
import { refused } from '#commands/refused'
import { createScimToken, listScimTokens, withdrawScimToken } from '#contract/scim'
import { MOST_SCIM_TOKENS } from '#domain/scim/limits'
import { createLabelOf } from '#api/areas/single-sign-on/own-white-label'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { scimUrl } from './base-url.ts'
import type { Served } from '#api/areas/services'

/** Tokens of directories, which owners of the white-label make and withdraw. */
export function registerTokenRoutes(
  app: FastifyInstance,
  kit: Served<'links' | 'scimTokens' | 'secondPerson' | 'security' | 'whiteLabels'>,
): void {
  const { guards, links, scimTokens, secondPerson, security, whiteLabels } = kit
  const labelOf = createLabelOf(whiteLabels)

  register(app, guards, listScimTokens, async (call) => {
    const label = labelOf(call)
    return { base_url: scimUrl(links.originOf(label)), tokens: [...(await scimTokens.list(label))] }
  })

  register(app, guards, createScimToken, async (call) => {
    const [label, { userId }] = [labelOf(call), personOf(call)]
    const { id, secret, hash } = scimTokens.mint()
    const waits = await secondPerson.asksForRoles(label)
    const isFull = waits
      ? (await scimTokens.list(label)).length >= MOST_SCIM_TOKENS
      : !(await scimTokens.add(label, userId, { id, hash }))
    if (isFull) {
      const message = `A white-label has ${MOST_SCIM_TOKENS} tokens at most`
      throw refused(2, [{ path: 'id', code: 2, message, key: 'scim.tokens' }])
    }
    const command = { kind: 'directory_token', token_id: id, secret_hash: hash, comment: '' } as const
    if (waits && !(await secondPerson.ask({ id, whitelabelId: label, spaceId: null, userId, command }))) throw refused(134)
    if (!waits) await secondPerson.mailOthers({ id, whitelabelId: label, what: 'directory_token', by: [userId] })
    await security.record('credential-created', call, { credential: id, kind: 'scim' })
    return { id, secret, approval_id: waits ? id : null }
  })

  register(app, guards, withdrawScimToken, async (call) => {
    const { token } = call.params
    if (!(await scimTokens.withdraw(labelOf(call), token))) throw refused(131)
    await secondPerson.withdrawOrigin(token)
    await security.record('credential-revoked', call, { credential: token, kind: 'scim' })
    return {}
  })
}
