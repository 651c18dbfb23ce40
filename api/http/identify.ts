import type { FastifyRequest } from 'fastify'
import { refused } from '../refused.ts'
import type { People } from '../sessions/people.ts'
import { sameSecret, type Tokens } from '../sessions/tokens.ts'
import type { Identity } from './call.ts'

/** How long a token's version is taken on trust, milliseconds: a changed password cuts sessions off within this. */
const TRUST_MS = 5000

/** Reads the bearer of a request. A token that is there but not valid is 401, never nobody. */
export function createIdentify(tokens: Tokens, people: Pick<People, 'find'>, serviceToken: string) {
  const versions = new Map<string, { readonly version: number; readonly until: number }>()

  async function versionOf(userId: string): Promise<number> {
    const known = versions.get(userId)
    if (known !== undefined && known.until > Date.now()) return known.version
    const version = (await people.find(userId))?.token_version ?? 0
    if (versions.size > 10_000) versions.clear()
    versions.set(userId, { version, until: Date.now() + TRUST_MS })
    return version
  }

  return async function identify(request: FastifyRequest): Promise<Identity> {
    const header = request.headers.authorization
    if (header === undefined) return { kind: 'nobody' }
    const token = /^Bearer (\S+)$/i.exec(header)?.[1]
    if (token === undefined) throw refused(401)
    const read = await tokens.read(token)
    // Last, because nearly everybody is a person, and the comparison hashes both.
    if (read === null && sameSecret(token, serviceToken)) return { kind: 'service' }
    if (read === null || read.version !== (await versionOf(read.actor.userId))) throw refused(401)
    return { kind: 'person', actor: read.actor }
  }
}
