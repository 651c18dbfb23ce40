import { createServer, type Server } from 'node:http'
import type { FindAccount, GrantContext } from 'oidc-provider'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { listenOn } from './ports.ts'

/** Claims of the people of a provider, by the name that they sign in with, which is their subject. */
export type Directory = Record<string, Readonly<Record<string, unknown>>>

export type IdentityProviderDouble = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly stop: () => Promise<void>
}

const listen = async (server: Server, port = 0): Promise<string> => `http://127.0.0.1:${await listenOn(server, port)}`

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/**
 * A real OpenID Connect provider, `oidc-provider`, over HTTP. Without pages of its own, the person of `next` signs in at once; with
 * `pages`, a browser shows the provider's sign-in page.
 */
export async function startIdentityProvider(
  origin: string,
  directory: Directory,
  { pages = false }: { readonly pages?: boolean } = {},
): Promise<IdentityProviderDouble & { next: string }> {
  const { default: Provider } = await import('oidc-provider')
  const server = createServer((request, response) => void answer(request, response))
  const issuer = await listen(server)
  const [clientId, clientSecret] = ['placard', 'a-secret-of-the-client']
  const findAccount: FindAccount = async (_, id) => {
    const claims = directory[id]
    return claims === undefined ? undefined : { accountId: id, claims: async () => ({ sub: id, ...claims }) }
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${origin}/v1/oauth/sign-on/callback`],
        post_logout_redirect_uris: [`${origin}/auth/login`],
        backchannel_logout_uri: `${origin}/v1/oauth/sign-on/back-channel`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name', 'groups'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the cookies of a test'] },
    features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: pages } },
    // Its own refuses the addresses of this machine.
    fetch: (url: string, { method = 'GET', headers = {}, body = null }: RequestInit) => fetch(url, { method, headers, body }),
    findAccount,
    loadExistingGrant: consentTo,
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    ...(pages ? {} : { interactions: { url: () => '/signs-in' } }),
  })
  const double = { issuer, clientId, clientSecret, next: '', stop: () => close(server) }
  const callback = provider.callback()
  function answer(...[request, response]: Parameters<typeof callback>) {
    if (request.url !== '/signs-in') return callback(request, response)
    const result = { login: { accountId: double.next }, consent: {} }
    return provider.interactionFinished(request, response, result)
  }
  return double
}

/** Consents for the person, so that no page asks them. */
async function consentTo({ oidc }: GrantContext) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}

/**
 * A provider that signs whatever a test tells it to: `token` changes the claims of the ID token before they are signed. It shows no
 * page; a test makes the callback itself.
 */
export async function startForgedProvider(): Promise<
  IdentityProviderDouble & {
    token: (claims: JWTPayload) => JWTPayload
    key: 'own' | 'other'
    away: boolean
    /** Codes that were exchanged. */
    readonly exchanged: string[]
    /** How often its keys were read. */
    keysRead: number
    /** Signs any token. */
    readonly sign: (claims: JWTPayload) => Promise<string>
  }
> {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(own.publicKey)), alg: 'RS256', use: 'sig', kid: 'own' }
  const server = createServer((request, response) => {
    const send = (body: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (double.away) return send({}, 503)
    if (request.url === '/.well-known/openid-configuration')
      return send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
      })
    if (request.url === '/jwks') {
      double.keysRead += 1
      return send({ keys: [jwk] })
    }
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => void exchange(new URLSearchParams(text)).then(send))
  })
  const issuer = await listen(server)
  /** The code of a test is the nonce of its sign-in. */
  async function exchange(form: URLSearchParams) {
    const nonce = form.get('code') ?? ''
    double.exchanged.push(nonce)
    const now = Math.floor(Date.now() / 1000)
    const claims = double.token({ iss: issuer, aud: 'placard', sub: 'forged', nonce, iat: now, exp: now + 300 })
    return { access_token: 'an-access-token', token_type: 'Bearer', expires_in: 300, id_token: await sign(claims) }
  }
  function sign(claims: JWTPayload) {
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own' })
    return token.sign(double.key === 'own' ? own.privateKey : other.privateKey)
  }
  const double = {
    issuer,
    clientId: 'placard',
    clientSecret: 'a-secret-of-the-client',
    token: (claims: JWTPayload) => claims,
    key: 'own' as 'own' | 'other',
    away: false,
    exchanged: [] as string[],
    keysRead: 0,
    sign,
    stop: () => close(server),
  }
  return double
}
