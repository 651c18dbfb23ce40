import { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { SignOnFault, type LoggedOut } from '#commands/single-sign-on/single-sign-on-port'
import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'

/** Tokens that say that a session at the provider ended (OpenID Connect Back-Channel Logout 1.0 section 2.4). */

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Those of public keys: the document of a provider's keys holds no secrets. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** Age of a token that is taken, seconds; it needs no end of its own then. */
const MOST_AGE = 120
const CLOCK_TOLERANCE = 30
const MOST_OF_ID = 255

type Expected = { readonly issuer: string; readonly clientId: string }

/** Issuer and audience that a token names, before anything of it is proved; null for a text that is no token. */
export function claimedIn(token: string): { readonly issuer: string; readonly audience: readonly string[] } | null {
  try {
    const { iss = '', aud = [] } = decodeJwt(token)
    return { issuer: iss, audience: typeof aud === 'string' ? [aud] : aud }
  } catch {
    return null
  }
}

/**
 * The keys of a provider, read for ten minutes at a time, and again for a key that is not among them, twice a minute at most: so
 * that made-up tokens reach the provider no more often.
 */
export const keysAt = (jwksUri: string, fetch: GuardedFetch): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(jwksUri), {
    [customFetch]: (url, { headers, signal }) => fetch(url, { headers: Object.fromEntries(headers), signal }),
  })

/** Claims that the token proves. Throws SignOnFault. */
export async function readLogoutToken(token: string, { issuer, clientId }: Expected, keys: JWTVerifyGetKey): Promise<LoggedOut> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      audience: clientId,
      issuer,
      clockTolerance: CLOCK_TOLERANCE,
      maxTokenAge: MOST_AGE,
      requiredClaims: ['jti'],
    })
    return loggedOutIn(payload)
  } catch (error) {
    if (error instanceof SignOnFault) throw error
    const isAway = !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout
    throw new SignOnFault(isAway ? 'away' : 'invalid', error instanceof Error ? error.message : 'the request failed', {
      cause: error,
    })
  }
}

function loggedOutIn({ events, nonce, sub, sid, iat = 0 }: JWTPayload): LoggedOut {
  const event = typeof events === 'object' && events !== null ? (events as Readonly<Record<string, unknown>>)[EVENT] : undefined
  if (typeof event !== 'object' || event === null) throw new SignOnFault('invalid', 'the token is not about a sign-out')
  // An ID token is none.
  if (nonce !== undefined) throw new SignOnFault('invalid', 'the token has a nonce')
  if (iat > Date.now() / 1000 + CLOCK_TOLERANCE) throw new SignOnFault('invalid', 'the token was issued in the future')
  const [subject, session] = [idIn(sub), idIn(sid)]
  if (subject === null && session === null) throw new SignOnFault('invalid', 'the token names neither a person nor a session')
  return { subject, session, before: new Date((iat + CLOCK_TOLERANCE) * 1000).toISOString() }
}

/** An identifier of the provider; null for none, or one that no session has. */
export const idIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MOST_OF_ID ? value : null
