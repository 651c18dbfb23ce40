import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { ROLES, type Actor, type Role } from '#domain/kit/access'
import { API_SCOPES, type ApiScope } from '#domain/kit/api-scopes'

/** Lifetime of access tokens (decisions G-178), seconds. */
export const ACCESS_SECONDS = 3600
/** Refresh tokens, days; replaced at each use. */
export const REFRESH_DAYS = 30

const ISSUER = 'placard'
const AUDIENCE = 'placard-api'

/** Most valid tokens in the cache. */
const REMEMBERED = 5000

/** A key of access tokens, with the id in their headers. */
export type SigningKey = { readonly kid: string; readonly key: Uint8Array }

/** The currently valid keys: the one that signs, and all that verify. */
export type SigningKeys = { readonly signer: () => SigningKey; readonly find: (kid: string) => Uint8Array | null }

/**
 * A token's session data: its family, the version of the person's credentials, and its lifetime, seconds. `scopes` are those of a
 * token that an API key was exchanged for.
 */
export type TokenSession = {
  readonly family: string
  readonly version: number
  readonly seconds: number
  readonly scopes?: readonly ApiScope[]
}

/** Tokens hold no rights of their own, since those change while a token is valid. */
type TokenActor = Omit<Actor, 'rights'>

type Read = {
  readonly actor: TokenActor
  readonly session: string
  readonly version: number
  /** Null for a token of a session. */
  readonly scopes: readonly ApiScope[] | null
}
type Known = Read & { readonly kid: string; readonly until: number }

/** Signs and reads access tokens. */
export function createTokens(keys: SigningKeys, now: () => number) {
  // A client sends the same token with every call for an hour: its signature is checked once, its expiry and key each time.
  const valid = new Map<string, Known>()

  return {
    async sign(actor: TokenActor, { family, version, seconds, scopes }: TokenSession): Promise<string> {
      const issued = Math.floor(now() / 1000)
      const { kid, key } = keys.signer()
      return new SignJWT({
        roles: [...actor.roles],
        wl: actor.whitelabelId,
        home: actor.homeSpaceId,
        space: actor.spaceId,
        sid: family,
        ver: version,
        ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
        .setSubject(actor.userId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(issued)
        .setExpirationTime(issued + seconds)
        .sign(key)
    },

    /** The actor, the session and its version; null for any invalid or expired token. A token without a space has an empty one. */
    async read(token: string): Promise<Read | null> {
      const known = valid.get(token)
      if (known !== undefined && now() < known.until && keys.find(known.kid) !== null) return known
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
          algorithms: ['HS256'],
          typ: 'at+jwt',
          issuer: ISSUER,
          audience: AUDIENCE,
          currentDate: new Date(now()),
        })
        const { sub, roles, wl, home, space, sid, ver, exp, scope } = payload
        if (typeof sub !== 'string' || typeof wl !== 'string' || typeof home !== 'string') return null
        if (!Array.isArray(roles) || typeof ver !== 'number' || typeof sid !== 'string') return null
        const actor = {
          userId: sub,
          roles: roles.filter(isRole),
          whitelabelId: wl,
          homeSpaceId: home,
          spaceId: typeof space === 'string' ? space : '',
        }
        const scopes = typeof scope === 'string' ? scope.split(' ').filter(isScope) : null
        const read = { actor, session: sid, version: ver, scopes }
        if (valid.size >= REMEMBERED) valid.clear()
        valid.set(token, { ...read, kid: protectedHeader.kid ?? '', until: (exp ?? 0) * 1000 })
        return read
      } catch {
        return null
      }
    },
  }

  function keyOf({ kid }: { readonly kid?: string | undefined }): Uint8Array {
    const key = keys.find(kid ?? '')
    if (key === null) throw new Error('the token was signed under an unknown key')
    return key
  }
}
export type Tokens = ReturnType<typeof createTokens>

const isScope = (value: string): value is ApiScope => API_SCOPES.some((scope) => scope === value)
const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value)

/** A refresh token: 256 random bits, stored only as a hash. */
export const newRefreshToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares secrets in constant time. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
