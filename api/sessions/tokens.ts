import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { ROLES, type Actor, type Role } from '../../domain/access.ts'

/** Access tokens live this long (decisions G-178), seconds. */
export const ACCESS_SECONDS = 3600
/** Refresh tokens, days; replaced at each use. */
export const REFRESH_DAYS = 30

const ISSUER = 'placard'
const AUDIENCE = 'placard-api'

/** Valid tokens that are remembered at most. */
const REMEMBERED = 5000

type Read = { readonly actor: Actor; readonly version: number }

/** Signs and reads access tokens. `key` is the shared signing secret. */
export function createTokens(key: Uint8Array, now: () => number) {
  // A client sends the same token with every call for an hour: its signature is checked once, its end each time.
  const valid = new Map<string, Read & { readonly until: number }>()

  return {
    async sign(actor: Actor, tokenVersion: number): Promise<string> {
      const issued = Math.floor(now() / 1000)
      return new SignJWT({
        roles: [...actor.roles],
        wl: actor.whitelabelId,
        home: actor.homeSpaceId,
        space: actor.spaceId,
        ver: tokenVersion,
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .setSubject(actor.userId)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(issued)
        .setExpirationTime(issued + ACCESS_SECONDS)
        .sign(key)
    },

    /** The actor and the token's version; null for anything that is not a valid token of ours, expired ones included. */
    async read(token: string): Promise<Read | null> {
      const known = valid.get(token)
      if (known !== undefined && now() < known.until) return known
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          typ: 'at+jwt',
          issuer: ISSUER,
          audience: AUDIENCE,
          currentDate: new Date(now()),
        })
        const { sub, roles, wl, home, space, ver, exp } = payload
        if (typeof sub !== 'string' || typeof wl !== 'string' || typeof home !== 'string' || typeof space !== 'string')
          return null
        if (!Array.isArray(roles) || typeof ver !== 'number') return null
        const actor = { userId: sub, roles: roles.filter(isRole), whitelabelId: wl, homeSpaceId: home, spaceId: space }
        if (valid.size >= REMEMBERED) valid.clear()
        valid.set(token, { actor, version: ver, until: (exp ?? 0) * 1000 })
        return { actor, version: ver }
      } catch {
        return null
      }
    },
  }
}
export type Tokens = ReturnType<typeof createTokens>

const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value)

/** A refresh token: 256 random bits, kept only as their hash. */
export const newRefreshToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares secrets without telling how much of them was right. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
