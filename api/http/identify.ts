import { API_KEY_PREFIX, KEY_SESSION, SCIM_PREFIX, SECRET_PREFIX } from '#commands/identity/secrets'
import type { Identity } from '#commands/identity/identity'
import type { FastifyRequest } from 'fastify'
import { actorAt, type Actor } from '#domain/kit/access'
import type { ApiScope } from '#domain/kit/api-scopes'
import { refused } from '#commands/refused'
import type { ApiKeyHolder, ApiKeys } from '#platform/identity/api-keys'
import type { Sessions } from '#platform/identity/sessions'
import type { SessionCheck } from '#platform/identity/session-use'
import type { ServiceCredentials } from '#platform/identity/service-credentials'
import type { ScimTokens } from '#platform/scim/scim-tokens'
import { sameSecret, type Tokens } from '#commands/identity/tokens'
import { isUnattended } from './unattended.ts'

/** How long a session check is cached, milliseconds: an ended session is refused within 5 s. */
const TRUST_MS = 4000

export type IdentifyDeps = {
  readonly tokens: Tokens
  readonly sessions: Pick<Sessions, 'check'>
  readonly credentials: Pick<ServiceCredentials, 'find'>
  readonly apiKeys: Pick<ApiKeys, 'find' | 'holder'>
  readonly scimTokens: Pick<ScimTokens, 'find'>
  readonly serviceToken: string
  readonly now: () => string
  /** Whether the white-label of this user requires a second factor of them. */
  readonly requiresSecondFactor: (actor: Actor) => boolean
  /** Whether the person has one, or the session began where one is taken for granted. */
  readonly hasSecondFactor: (personId: string, session: string) => Promise<boolean>
  /** Whether the white-label of this user takes API keys only in exchange for access tokens (fine print 86). */
  readonly exchangesKeys: (actor: Pick<Actor, 'whitelabelId'>) => boolean
  /** Whether the white-label of this user keeps them from working at this address. */
  readonly isOutside: (actor: Actor, address: string) => boolean
}

/** The answer of `find`, for as long as it may be trusted: an ended key is refused within 5 s. Null is not remembered. */
function trusted<Found, Rest extends readonly unknown[]>(find: (key: string, ...rest: Rest) => Promise<Found | null>) {
  const remembered = new Map<string, { readonly found: Found; readonly until: number }>()
  return async (key: string, ...rest: Rest): Promise<Found | null> => {
    const known = remembered.get(key)
    if (known !== undefined && known.until > Date.now()) return known.found
    // Counted from before the read: it may miss an end during the read.
    const until = Date.now() + TRUST_MS
    const found = await find(key, ...rest)
    if (remembered.size > 10_000) remembered.clear()
    if (found === null) remembered.delete(key)
    else remembered.set(key, { found, until })
    return found
  }
}

/** Identifies the caller by the bearer token. An invalid token is 401, never an anonymous caller. */
export function createIdentify(deps: IdentifyDeps) {
  const { tokens, sessions, credentials, apiKeys, scimTokens, serviceToken, now, ...rules } = deps
  const checks = new Map<string, { readonly check: SessionCheck | null; readonly until: number }>()

  /** Facts that calls with a session need; null when it has ended. `account`: by the token, which may be newer than the cache. */
  async function checkOf(session: string, account: string, unattended: boolean): Promise<SessionCheck | null> {
    const known = checks.get(session)
    const fits = known !== undefined && (known.check === null || known.check.account === account)
    if (fits && known.until > Date.now()) return known.check
    // Counted from before the read: it may miss a session that ends during the read.
    const until = Date.now() + TRUST_MS
    const check = await sessions.check(session, { unattended })
    if (checks.size > 10_000) checks.clear()
    checks.set(session, { check, until })
    return check
  }

  const credentialOf = trusted((secret: string) => credentials.find(secret))
  /** The directory of a token; null when it is unknown or withdrawn, or its white-label is suspended. */
  const directoryOf = trusted((secret: string) => scimTokens.find(secret))
  const holderOf = trusted((key: string) => apiKeys.find(key))
  const holderById = trusted((id: string) => apiKeys.holder(id))
  /** A factor that was just set up opens the product at once. */
  const factorOf = trusted(async (session: string, { userId }: Actor) =>
    (await rules.hasSecondFactor(userId, session)) ? true : null,
  )

  /** The caller by a key, or by an access token that it was exchanged for, whose `scopes` are the same or fewer. */
  async function byKey(holder: ApiKeyHolder, scopes: readonly ApiScope[], request: FastifyRequest): Promise<Identity> {
    const { id, actor, version } = holder
    const session = KEY_SESSION + id
    return { ...(await personIn(actorAt(actor, now()), session, request)), session: { id: session, version }, scopes }
  }

  /** True when the user must set up a second factor before anything else. */
  const isRestricted = async (actor: Actor, session: string): Promise<boolean> =>
    rules.requiresSecondFactor(actor) && (await factorOf(session, actor)) === null

  const personIn = async (actor: Actor, session: string, { ip }: FastifyRequest) => ({
    kind: 'person' as const,
    actor,
    restricted: await isRestricted(actor, session),
    outside: rules.isOutside(actor, ip),
  })

  return async function identify(request: FastifyRequest): Promise<Identity> {
    const header = request.headers.authorization
    if (header === undefined) return { kind: 'anonymous' }
    const token = /^Bearer (\S+)$/i.exec(header)?.[1]
    if (token === undefined) throw refused(401)
    if (token.startsWith(SECRET_PREFIX)) {
      const credential = await credentialOf(token)
      if (credential === null) throw refused(401)
      return { kind: 'service', credential }
    }
    if (token.startsWith(SCIM_PREFIX)) {
      const directory = await directoryOf(token)
      if (directory === null) throw refused(401)
      return { kind: 'directory', token: directory }
    }
    if (token.startsWith(API_KEY_PREFIX)) {
      const holder = await holderOf(token)
      if (holder === null) throw refused(401)
      if (rules.exchangesKeys(holder.actor)) throw refused(165)
      return byKey(holder, holder.scopes, request)
    }
    const read = await tokens.read(token)
    // Last, because most callers are users, and the comparison hashes both sides.
    if (read === null && sameSecret(token, serviceToken)) return { kind: 'service', credential: null }
    if (read?.session.startsWith(KEY_SESSION) === true) {
      // The token ends with its key, however that ends.
      const holder = await holderById(read.session.slice(KEY_SESSION.length))
      if (holder === null || holder.version !== read.version || read.scopes === null) throw refused(401)
      return byKey(holder, read.scopes, request)
    }
    if (read === null) throw refused(401)
    const { session, version } = read
    const check = await checkOf(session, read.actor.homeSpaceId, isUnattended(request))
    // A token for the account that the session acted in before is over (fine print 93).
    if (check === null || check.version !== version || check.account !== read.actor.homeSpaceId) throw refused(401)
    if (read.actor.spaceId === '') throw refused(20)
    const actor = actorAt({ ...read.actor, roles: check.roles, rights: check.rights }, now())
    return { ...(await personIn(actor, session, request)), session: { id: session, version } }
  }
}
