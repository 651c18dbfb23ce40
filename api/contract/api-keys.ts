import { API_SCOPES } from '#domain/kit/api-scopes'
import { KEY_DAYS } from '#domain/kit/key-life'
import { endpoint, named, position } from './http.ts'
import { ownCode, ownPassword } from './own-secrets.ts'
import { z } from './zod.ts'
import { shownName } from './shown-name.ts'

/** The signed-in user's API keys (fine print 86). Their ids are also client ids of POST /v1/oauth/token. */

const own = { access: 'profile.own', reads: [] } as const
const scope = z.enum(API_SCOPES)
const expires_at = z.string().check(z.describe('When it ends, an instant'))

const made = z.object({
  id: z.string().check(z.describe('The `client_id` of POST /v1/oauth/token')),
  key: z.string().check(z.describe('The key, which is also the `client_secret`; answered here only')),
  created_at: z.string(),
  expires_at,
  position,
})

export const listApiKeys = endpoint({
  ...own,
  id: 'profile.apiKeys',
  method: 'GET',
  path: '/v1/user/api-keys',
  summary: "The signed-in user's API keys: those in use first, newest first",
  output: z.array(
    named(
      'ApiKey',
      z.object({
        id: z.string(),
        name: z.string(),
        hint: z.string().check(z.describe('The last four characters of the key')),
        scopes: z.array(scope),
        created_at: z.string(),
        expires_at,
        used_at: z.nullable(z.string()),
        revoked_at: z.nullable(z.string()),
        replaced_at: z.nullable(z.string()).check(z.describe('When a rotation replaced it; it works until `expires_at`')),
      }),
    ),
  ),
})

export const createApiKey = endpoint({
  ...own,
  id: 'profile.createApiKey',
  perDay: { of: 'person', name: 'secrets', limit: 25 },
  method: 'POST',
  path: '/v1/user/api-keys',
  stepUp: 'session-or-password',
  summary:
    'Create an API key: a bearer token that may do what its scopes and its user may; answered once. It ends by itself, and with the next change of credentials',
  body: 'json',
  input: z.object({
    name: shownName(),
    scopes: z.array(scope).check(z.minLength(1), z.maxLength(API_SCOPES.length)),
    days: z.optional(
      z
        .int()
        .check(z.gte(KEY_DAYS.min), z.lte(KEY_DAYS.max))
        .check(z.describe('How long it works; `api_key_days` of the white-label at most, 90 by default')),
    ),
    expires_at: z.optional(z.string().check(z.maxLength(40), z.describe('In place of `days`: an instant, as far away at most'))),
    password: ownPassword,
    code: ownCode,
  }),
  output: made,
  write: true,
  secret: true,
})

export const rotateApiKey = endpoint({
  ...own,
  id: 'profile.rotateApiKey',
  perDay: { of: 'person', name: 'secrets', limit: 25 },
  method: 'POST',
  path: '/v1/user/api-keys/:id/rotate',
  stepUp: 'session',
  summary: 'Replace an API key by a new one with its name, scopes and lifetime; the old one works for 24 hours more at most',
  params: z.object({ id: z.string() }),
  output: z.extend(made, { replaced_until: z.string().check(z.describe('Until when the old key works, an instant')) }),
  write: true,
  secret: true,
})

export const revokeApiKey = endpoint({
  ...own,
  id: 'profile.revokeApiKey',
  stops: true,
  method: 'DELETE',
  path: '/v1/user/api-keys/:id',
  stepUp: 'session',
  summary: 'Revoke an API key for good, with the access tokens that it was exchanged for',
  params: z.object({ id: z.string() }),
  output: z.object({ position }),
  write: true,
})

export const API_KEY_ENDPOINTS = [listApiKeys, createApiKey, rotateApiKey, revokeApiKey]
