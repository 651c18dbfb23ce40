import { describe, expect, it } from 'vitest'
import { SignOnFault, type Provider } from '#commands/single-sign-on/single-sign-on-port'
import { createOpenId } from './open-id.ts'

const ISSUER = 'https://id.acme.example/realms/main'
const OF_REALM = `${ISSUER}/protocol/openid-connect`

/** The shape of Keycloak 26's document, with its many fields that a client ignores. */
const KEYCLOAK = {
  issuer: ISSUER,
  authorization_endpoint: `${OF_REALM}/auth`,
  token_endpoint: `${OF_REALM}/token`,
  introspection_endpoint: `${OF_REALM}/token/introspect`,
  userinfo_endpoint: `${OF_REALM}/userinfo`,
  end_session_endpoint: `${OF_REALM}/logout`,
  frontchannel_logout_session_supported: true,
  frontchannel_logout_supported: true,
  jwks_uri: `${OF_REALM}/certs`,
  check_session_iframe: `${OF_REALM}/login-status-iframe.html`,
  grant_types_supported: ['authorization_code', 'client_credentials', 'implicit', 'password', 'refresh_token'],
  acr_values_supported: ['0', '1'],
  response_types_supported: ['code', 'none', 'id_token', 'token', 'id_token token', 'code id_token', 'code token'],
  subject_types_supported: ['public', 'pairwise'],
  prompt_values_supported: ['none', 'login', 'consent'],
  id_token_signing_alg_values_supported: ['PS384', 'RS384', 'EdDSA', 'ES384', 'HS256', 'HS512', 'ES256', 'RS256'],
  id_token_encryption_alg_values_supported: ['ECDH-ES+A256KW', 'RSA-OAEP', 'RSA1_5'],
  userinfo_signing_alg_values_supported: ['RS256', 'none'],
  response_modes_supported: ['query', 'fragment', 'form_post', 'query.jwt', 'fragment.jwt', 'form_post.jwt', 'jwt'],
  registration_endpoint: `${ISSUER}/clients-registrations/openid-connect`,
  token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic', 'client_secret_post', 'tls_client_auth'],
  claims_supported: ['aud', 'sub', 'iss', 'auth_time', 'name', 'given_name', 'family_name', 'preferred_username', 'email', 'acr'],
  claim_types_supported: ['normal'],
  claims_parameter_supported: true,
  scopes_supported: ['openid', 'roles', 'email', 'profile', 'offline_access', 'microprofile-jwt', 'basic', 'organization'],
  request_parameter_supported: true,
  request_uri_parameter_supported: true,
  require_request_uri_registration: true,
  code_challenge_methods_supported: ['plain', 'S256'],
  tls_client_certificate_bound_access_tokens: true,
  revocation_endpoint: `${OF_REALM}/revoke`,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  device_authorization_endpoint: `${OF_REALM}/auth/device`,
  pushed_authorization_request_endpoint: `${OF_REALM}/ext/par/request`,
  mtls_endpoint_aliases: { token_endpoint: `${OF_REALM}/token`, revocation_endpoint: `${OF_REALM}/revoke` },
  authorization_response_iss_parameter_supported: true,
}

const PROVIDER: Provider = {
  id: 'keycloak',
  whitelabelId: 'dsp',
  name: 'Acme',
  issuer: ISSUER,
  clientId: 'placard',
  clientSecret: 'a secret',
  scopes: ['email', 'profile'],
  trustsAddresses: false,
  defaultSpaceId: null,
  defaultRoles: [],
  roleClaim: null,
  roleMapping: [],
  followsClaim: true,
  enabled: true,
  version: '1',
}
const SECRETS = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(43) }
const CALLBACK = 'https://ads.example/v1/oauth/sign-on/callback'

/** A provider that answers with one document, and the addresses that were asked for. */
function serving(document: unknown) {
  const asked: string[] = []
  const openId = createOpenId({
    allowHttp: false,
    fetch: async (url) => {
      asked.push(url)
      return Response.json(document)
    },
  })
  return { openId, asked }
}

const reasonOf = (error: unknown) => (error instanceof SignOnFault ? error.reason : error)

describe('a discovery document', () => {
  it('a discovery document of Keycloak leads to its sign-in page with code, PKCE, state and nonce', async () => {
    const { openId, asked } = serving(KEYCLOAK)
    const url = new URL(await openId.authorizationUrl(PROVIDER, CALLBACK, SECRETS))
    expect(asked).toEqual([`${ISSUER}/.well-known/openid-configuration`])
    expect(url.origin + url.pathname).toBe(KEYCLOAK.authorization_endpoint)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'placard',
      redirect_uri: CALLBACK,
      scope: 'openid email profile',
      state: 'state',
      nonce: 'nonce',
      code_challenge_method: 'S256',
    })
    expect(url.href).not.toContain(SECRETS.verifier)
  })

  it('a discovery document is read once in ten minutes, and again after a change of the settings or for a check', async () => {
    const { openId, asked } = serving(KEYCLOAK)
    await openId.authorizationUrl(PROVIDER, CALLBACK, SECRETS)
    await openId.authorizationUrl(PROVIDER, CALLBACK, SECRETS)
    expect(asked).toHaveLength(1)
    await openId.authorizationUrl({ ...PROVIDER, version: '2' }, CALLBACK, SECRETS)
    await openId.check({ ...PROVIDER, version: '2' })
    expect(asked).toHaveLength(3)
  })

  it.each([
    ['another issuer', { ...KEYCLOAK, issuer: 'https://evil.example' }],
    ['no token endpoint', { ...KEYCLOAK, token_endpoint: undefined }],
  ])('a discovery document with %s is refused', async (_, document) => {
    const { openId } = serving(document)
    expect(reasonOf(await openId.check(PROVIDER).catch((error: unknown) => error))).toBe('invalid')
  })

  it('a discovery document for every tenant of Microsoft Entra is refused: people of any of them would come in', async () => {
    const issuer = 'https://login.microsoftonline.com/common/v2.0'
    const { openId } = serving({ ...KEYCLOAK, issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' })
    expect(reasonOf(await openId.check({ ...PROVIDER, issuer }).catch((error: unknown) => error))).toBe('invalid')
  })

  it('a discovery document that cannot be fetched means that the provider is away, and is asked for again', async () => {
    let isAway = true
    const openId = createOpenId({
      allowHttp: false,
      fetch: async () => {
        if (isAway) throw new Error('connect ECONNREFUSED')
        return Response.json(KEYCLOAK)
      },
    })
    expect(reasonOf(await openId.check(PROVIDER).catch((error: unknown) => error))).toBe('away')
    isAway = false
    await openId.check(PROVIDER)
  })
})
