import type * as OpenIdClient from 'openid-client'
import {
  SignOnFault,
  type Identified,
  type OpenId,
  type Provider,
  type SignOut,
} from '#commands/single-sign-on/single-sign-on-port'
import { claimValues } from '#domain/single-sign-on/admission'
import { isEmail } from '#domain/kit/validators'
import { claimedIn, idIn, keysAt, readLogoutToken } from './logout-token.ts'
import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'
import { beginning } from '#domain/kit/text'

/** How long a provider's discovery document is used before it is read again, milliseconds. */
const FRESH_MS = 600_000
/** Difference of clocks that is allowed, seconds. */
const CLOCK_TOLERANCE = 30
/** Values of the claim about roles that are read. */
const MOST_VALUES = 500
/** An ID token that is longer is not kept for the sign-out: addresses of browsers and proxies end somewhere. */
const MOST_OF_HINT = 4000
/** Most characters of a subject (OpenID Connect Core 1.0, ID Token). */
const MOST_OF_SUBJECT = 255

export type OpenIdDeps = {
  readonly fetch: GuardedFetch
  /** Allows providers that speak plain http. */
  readonly allowHttp: boolean
}

/** Loaded when it is used: most processes never sign a person in by a provider. */
const loadLibrary = () => import('openid-client')

/**
 * OpenID Connect by `openid-client`: discovery, the code flow with PKCE, and the check of issuer, audience, nonce, times and signature
 * of ID tokens. The configuration of a provider is kept for ten minutes, and read again after a change of its settings.
 */
export function createOpenId({ fetch, allowHttp }: OpenIdDeps): OpenId {
  type Known = { readonly version: string; readonly until: number; readonly config: Promise<OpenIdClient.Configuration> }
  const known = new Map<string, Known>()
  const keySets = new Map<string, ReturnType<typeof keysAt>>()

  async function discover({ issuer, clientId, clientSecret }: Provider): Promise<OpenIdClient.Configuration> {
    const client = await loadLibrary()
    const config = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      // The signature is checked although the token comes over TLS: a proxy on the way may end it.
      execute: [client.enableNonRepudiationChecks, ...(allowHttp ? [client.allowInsecureRequests] : [])],
      [client.customFetch]: fetch,
    })
    const metadata = config.serverMetadata()
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authentication =
      clientSecret === null
        ? client.None()
        : methods.includes('client_secret_basic')
          ? client.ClientSecretBasic(clientSecret)
          : client.ClientSecretPost(clientSecret)
    const authenticated = new client.Configuration(
      metadata,
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE, ...(clientSecret === null ? {} : { client_secret: clientSecret }) },
      authentication,
    )
    client.enableNonRepudiationChecks(authenticated)
    if (allowHttp) client.allowInsecureRequests(authenticated)
    authenticated[client.customFetch] = fetch
    // A document for all tenants of a provider names no tenant: people of any of them would come in.
    if (new URL(metadata.issuer).href !== new URL(issuer).href)
      throw new SignOnFault('invalid', 'the discovery document names another issuer')
    if (metadata.authorization_endpoint === undefined || metadata.token_endpoint === undefined)
      throw new SignOnFault('invalid', 'the discovery document names no authorization and token endpoint')
    return authenticated
  }

  async function configurationOf(provider: Provider): Promise<OpenIdClient.Configuration> {
    const found = known.get(provider.id)
    if (found !== undefined && found.version === provider.version && found.until > Date.now()) return found.config
    if (known.size > 1000) known.clear()
    const config = discover(provider)
    known.set(provider.id, { version: provider.version, until: Date.now() + FRESH_MS, config })
    // A provider that was away is asked again by the next sign-in.
    config.catch(() => known.delete(provider.id))
    return config
  }

  function keysOf(jwksUri: string): ReturnType<typeof keysAt> {
    const found = keySets.get(jwksUri)
    if (found !== undefined) return found
    if (keySets.size > 1000) keySets.clear()
    const keys = keysAt(jwksUri, fetch)
    keySets.set(jwksUri, keys)
    return keys
  }

  return {
    authorizationUrl: (provider, redirectUri, { state, nonce, verifier }) =>
      faulted(async () => {
        const [client, config] = await Promise.all([loadLibrary(), configurationOf(provider)])
        return client.buildAuthorizationUrl(config, {
          response_type: 'code',
          redirect_uri: redirectUri,
          scope: [...new Set(['openid', ...provider.scopes])].join(' '),
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }).href
      }),

    identify: (provider, callback, { state, nonce, verifier }) =>
      faulted(async () => {
        const [client, config] = await Promise.all([loadLibrary(), configurationOf(provider)])
        const tokens = await client.authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new SignOnFault('invalid', 'the answer has no ID token')
        if (claims.iat > Date.now() / 1000 + CLOCK_TOLERANCE)
          throw new SignOnFault('invalid', 'the ID token was issued in the future')
        // Some providers keep the address out of the ID token.
        const isThin = claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
        const more = isThin ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
        return identifiedIn({ ...more, ...claims }, provider, signOutOf(config, provider, tokens.id_token))
      }),

    claimedIn,

    loggedOut: (provider, token) =>
      faulted(async () => {
        const { issuer, jwks_uri: jwksUri } = (await configurationOf(provider)).serverMetadata()
        if (jwksUri === undefined) throw new SignOnFault('invalid', 'the discovery document names no keys')
        return readLogoutToken(token, { issuer, clientId: provider.clientId }, keysOf(jwksUri))
      }),

    check: (provider) =>
      faulted(async () => {
        known.delete(provider.id)
        await configurationOf(provider)
      }),
  }
}

function signOutOf(config: OpenIdClient.Configuration, { clientId }: Provider, idToken: string | undefined): SignOut | null {
  const { end_session_endpoint: endpoint } = config.serverMetadata()
  if (endpoint === undefined || !/^https?:$/.test(URL.canParse(endpoint) ? new URL(endpoint).protocol : '')) return null
  return { endpoint, clientId, idToken: idToken === undefined || idToken.length > MOST_OF_HINT ? null : idToken }
}

function identifiedIn(
  claims: Readonly<Record<string, unknown>> & { readonly sub: string },
  { roleClaim }: Provider,
  signOut: SignOut | null,
): Identified {
  const text = (name: string): string => (typeof claims[name] === 'string' ? claims[name].trim() : '')
  const email = text('email').toLowerCase()
  const [first = '', ...rest] = text('name').split(/\s+/)
  if (claims.sub.length > MOST_OF_SUBJECT || claims.sub === '')
    throw new SignOnFault('invalid', 'the subject is too long or empty')
  return {
    subject: claims.sub,
    email: isEmail(email) ? email : null,
    emailVerified: verifiedIn(claims['email_verified']),
    firstName: text('given_name') || first,
    lastName: text('family_name') || rest.join(' '),
    roleValues: roleClaim === null ? null : (claimValues(claims, roleClaim)?.slice(0, MOST_VALUES) ?? []),
    signOut,
    session: idIn(claims['sid']),
  }
}

/** Some providers send the flag as a text. */
const verifiedIn = (value: unknown): boolean | null =>
  value === undefined || value === null ? null : value === true || value === 'true'

/** Codes of the library for answers that prove nothing. With any other the provider could not be asked. */
const INVALID = new Set([
  'OAUTH_INVALID_REQUEST',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_INVALID_SERVER_METADATA',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_USERINFO_EXPECTED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_PARSE_ERROR',
  'OAUTH_UNSUPPORTED_OPERATION',
])

async function faulted<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SignOnFault) throw error
    throw faultOf(error)
  }
}

/** By the names of the library's errors: its classes would load it. */
function faultOf(error: unknown): SignOnFault {
  const { name, message } = error instanceof Error ? error : { name: '', message: 'the request failed' }
  if (name === 'AuthorizationResponseError')
    return new SignOnFault('declined', `the provider declined: ${codeIn(error, 'error')}`, { cause: error })
  if (name === 'ResponseBodyError' || name === 'WWWAuthenticateChallengeError')
    return new SignOnFault('invalid', `the provider refused a request: ${codeIn(error, 'error')}`, { cause: error })
  return new SignOnFault(INVALID.has(codeIn(error, 'code')) ? 'invalid' : 'away', message, { cause: error })
}

const codeIn = (error: unknown, field: 'code' | 'error'): string => {
  const value = typeof error === 'object' && error !== null ? (error as Readonly<Record<string, unknown>>)[field] : undefined
  return typeof value === 'string' ? beginning(value, 100) : 'unknown'
}
