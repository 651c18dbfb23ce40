import type { FastifyInstance } from 'fastify'
import { refused } from '#commands/refused'
import { createScimToken, listScimTokens, withdrawScimToken } from '#contract/scim'
import { MOST_SCIM_TOKENS } from '#domain/scim/limits'
import { createLabelOf } from '#api/areas/single-sign-on/own-white-label'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { scimUrl } from './base-url.ts'
import type { ScimServed } from './uses.ts'

/** Tokens of directories, which owners of the white-label make and withdraw. */
export function registerTokenRoutes(app: FastifyInstance, kit: ScimServed): void {
  const { guards, links, scimTokens, security, whiteLabels } = kit
  const labelOf = createLabelOf(whiteLabels)

  register(app, guards, listScimTokens, async (call) => {
    const label = labelOf(call)
    return { base_url: scimUrl(links.originOf(label)), tokens: [...(await scimTokens.list(label))] }
  })

  register(app, guards, createScimToken, async (call) => {
    const token = await scimTokens.create(labelOf(call), personOf(call).userId)
    if (token === null) {
      const message = `A white-label has ${MOST_SCIM_TOKENS} tokens at most`
      throw refused(2, [{ path: 'id', code: 2, message, key: 'scim.tokens' }])
    }
    await security.record('credential-created', call, { credential: token.id, kind: 'scim' })
    return token
  })

  register(app, guards, withdrawScimToken, async (call) => {
    const { token } = call.params
    if (!(await scimTokens.withdraw(labelOf(call), token))) throw refused(131)
    await security.record('credential-revoked', call, { credential: token, kind: 'scim' })
    return {}
  })
}
