import { endpoint, named } from './http.ts'
import { SINGLE_RIGHT_NAMES } from '#domain/kit/access'
import { passkeyAssertion, passkeyRequest } from './webauthn.ts'
import { languageKey, personStatusKey, roleKey, termsStatusKey, userTypeKey, wireLocale } from './sets.ts'
import { z } from './zod.ts'

/** Sign-in, the signed-in user, the white-label (platform.md §7). */

/** The header by which a page asks for the refresh token in a cookie, which no script can read (fine print 90). */
export const SESSION_HEADER = 'X-Placard-Session'
export const IN_COOKIE = 'cookie'

export const signed = named(
  'Tokens',
  z.object({
    access_token: z.string(),
    refresh_token: z
      .optional(z.string())
      .check(z.describe('Absent from answers to calls with X-Placard-Session: cookie, whose Set-Cookie holds it')),
    expires_in: z.number(),
    space_id: z.string(),
  }),
)

/** The answer of the grant of client credentials: no refresh token, since the program has its key. */
const clientToken = named(
  'ClientToken',
  z.object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.number(),
    scope: z.string().check(z.describe('The scopes of the token, with spaces between them')),
  }),
)

export const signIn = endpoint({
  id: 'session.signIn',
  reads: [],
  method: 'POST',
  path: '/v1/oauth/token',
  access: 'public',
  summary:
    'Sign in with an email address and a password; where a second factor is on, 401 with a challenge, and a second call with grant_type otp. With grant_type client_credentials, an access token of 15 minutes in exchange for an API key (RFC 6749 §4.4), also at the top of the answer',
  body: 'form',
  input: z.union([
    z.object({
      grant_type: z.optional(z.literal('password')),
      username: z.string().check(z.minLength(1), z.maxLength(300)),
      password: z.string().check(z.minLength(1), z.maxLength(1000)),
    }),
    z.object({
      grant_type: z.literal('otp'),
      challenge: z.string().check(z.minLength(1), z.maxLength(500)),
      code: z.string().check(z.minLength(1), z.maxLength(100)),
    }),
    z.object({
      grant_type: z.literal('client_credentials'),
      client_id: z.optional(
        z.string().check(z.maxLength(300), z.describe('The id of an API key, here or by HTTP Basic; the secret is the key')),
      ),
      client_secret: z.optional(z.string().check(z.maxLength(1000))),
      scope: z.optional(
        z.string().check(z.maxLength(300), z.describe('Some scopes of the key, with spaces between them; all without it')),
      ),
    }),
  ]),
  output: z.union([signed, clientToken]),
  secret: true,
  session: 'opens',
  clients: true,
})

/** `data` of the refusal of a right password where a second factor is on (fine print 58). */
export const challenged = z.object({
  second_factor: z.literal(true),
  challenge: z.string(),
  passkey: z.boolean().check(z.describe('The person has a passkey, which may answer in place of a code')),
})

const challenge = z.string().check(z.minLength(1), z.maxLength(500), z.describe('The challenge of a second step'))

export const beginPasskeySignIn = endpoint({
  id: 'session.beginPasskey',
  reads: [],
  method: 'POST',
  path: '/v1/oauth/passkey/begin',
  access: 'public',
  summary: 'What a browser asks its user for to sign in by a passkey; with the challenge of a second step, for one of its person',
  body: 'json',
  input: z.object({ challenge: z.optional(challenge) }),
  output: named('PasskeyRequest', passkeyRequest),
  secret: true,
})

export const signInByPasskey = endpoint({
  id: 'session.signInByPasskey',
  reads: [],
  method: 'POST',
  path: '/v1/oauth/passkey',
  access: 'public',
  summary: 'Sign in by a passkey, in place of the password and the second factor, or as the second step; each answer works once',
  body: 'json',
  input: z.object({ challenge: z.optional(challenge), credential: passkeyAssertion }),
  output: signed,
  secret: true,
  session: 'opens',
})

const presented = z.object({
  refresh_token: z
    .optional(z.string().check(z.minLength(1), z.maxLength(500)))
    .check(z.describe('Needed unless X-Placard-Session: cookie is sent; without it, the token of the cookie is taken then')),
})

export const refreshSession = endpoint({
  id: 'session.refresh',
  reads: [],
  method: 'POST',
  path: '/v1/oauth/refresh',
  access: 'public',
  summary: 'Exchange a refresh token for a new pair; each works once',
  body: 'form',
  input: presented,
  output: signed,
  secret: true,
  session: 'renews',
})

export const signOut = endpoint({
  id: 'session.signOut',
  reads: [],
  method: 'POST',
  path: '/v1/oauth/logout',
  access: 'public',
  summary: 'End the session of a refresh token',
  body: 'form',
  input: presented,
  output: z.object({
    end_url: z
      .nullable(z.string())
      .check(z.describe('Where the browser ends the session at the identity provider too; null without one')),
  }),
  secret: true,
  session: 'ends',
})

export const user = named(
  'User',
  z.object({
    id: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    phone: z.nullable(z.string()),
    /** ISO 3166 alpha-2. */
    country: z.nullable(z.string()),
    company_name: z.string(),
    locale: wireLocale,
    /** 1 English, 2 Russian. */
    language_key: languageKey,
    user_type_key: userTypeKey,
    status_key: personStatusKey,
    profile_image: z.nullable(z.object({ picture_id: z.string() })),
    settings: z.object({
      allow_make_payment: z.boolean(),
      notifications: z.object({ balance: z.boolean(), moderation: z.boolean() }),
    }),
    second_factor: z.boolean(),
    second_factor_required: z
      .boolean()
      .check(z.describe('A second factor is required of the user; false in a session that began at an identity provider')),
    api_key_days: z.number().check(z.describe('The longest life of an API key of the user, days (fine print 86)')),
    roles: z.array(roleKey),
    rights: z
      .array(z.object({ right: z.enum(SINGLE_RIGHT_NAMES), kind: z.enum(['granted', 'taken']), until: z.nullable(z.string()) }))
      .check(z.describe('What differs from the roles; without those that are over')),
    role_key: roleKey,
    /** The account that the session acts in: the home account until the user switches. */
    space_id: z.string(),
    space_name: z.string(),
    home_space_id: z.string().check(z.describe('The account whose roles the session has: home, or another of the accounts')),
    accounts: z
      .array(z.object({ space_id: z.string(), space_name: z.string(), home: z.boolean(), roles: z.array(roleKey) }))
      .check(z.describe('The accounts that oneself may act in, home first (fine print 93); empty for others')),
    currency: z.string(),
    balance: z.number(),
    /** In the account's currency. */
    credit_limit: z.number(),
    /** 1 to 28; null for the white-label's. */
    invoice_due_day: z.nullable(z.number()),
    /** Multiplies the price of an audio spot. */
    rewarded_ads_cpm_rate: z.number(),
    /** Percent, as `GET /v1/campaign/max-margin` answers; null for those who may not read it. */
    maxMargin: z.nullable(z.number()),
    legal_entity_name: z.nullable(z.string()),
    tin_number: z.nullable(z.string()),
    tos_status_type_key: termsStatusKey,
    moderator_comment: z.nullable(z.string()),
    /** The days of the account's invoices and reports: an IANA name, or null for a fixed offset. */
    time_zone: z.nullable(z.string()),
    /** Seconds east of UTC now. */
    timezone_offset_seconds: z.number(),
    whitelabel_id: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    deleted_at: z.nullable(z.string()),
  }),
)
export type User = z.infer<typeof user>

export const getUser = endpoint({
  id: 'user.get',
  reads: ['accounts'],
  method: 'GET',
  path: '/v1/user/:id',
  access: 'signed-in',
  summary: 'A person: oneself as "me" or by id, or for those who read accounts anyone in reach',
  params: z.object({ id: z.string() }),
  output: user,
})

export const switchAccount = endpoint({
  id: 'user.switch',
  leaves: true,
  reads: ['accounts'],
  method: 'POST',
  path: '/v1/user/account/switch/:id',
  access: 'signed-in',
  summary: 'Act in another account: one of the own, or for staff any; the id is that of its space',
  params: z.object({ id: z.string() }),
  body: 'json',
  input: z.object({
    reason: z.optional(
      z
        .string()
        .check(
          z.maxLength(300),
          z.describe('Why, for the security log; `switch_reason_required` of the white-label asks for it'),
        ),
    ),
  }),
  output: signed,
  secret: true,
  session: 'opens',
})

export const SESSION_ENDPOINTS = [signIn, beginPasskeySignIn, signInByPasskey, refreshSession, signOut, getUser, switchAccount]
