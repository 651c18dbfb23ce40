import { KEY_DAYS } from '#domain/kit/key-life'
import { EXCHANGES } from '#domain/campaign/content/options'
import { endpoint } from './http.ts'
import { z } from './zod.ts'
import { shownName } from './shown-name.ts'

const kind = z.enum(['exchange', 'bidder'])

export const createCredential = endpoint({
  id: 'credential.create',
  perDay: { of: 'person', name: 'credentials', limit: 100 },
  method: 'POST',
  path: '/v1/service-credential',
  access: 'credential.manage',
  stepUp: 'session',
  summary: 'A credential for an exchange or bidder of the own white-label; its secret is answered once',
  body: 'json',
  input: z.object({
    name: shownName(),
    kind,
    exchange: z.nullish(z.enum(EXCHANGES).check(z.describe('The exchange that it speaks for; only for the kind exchange'))),
    days: z.optional(
      z
        .int()
        .check(z.gte(KEY_DAYS.min), z.lte(KEY_DAYS.max))
        .check(z.describe('How long it works; `api_key_days` of the white-label at most, 90 by default')),
    ),
    expires_at: z.optional(z.string().check(z.maxLength(40), z.describe('In place of `days`: an instant, as far away at most'))),
  }),
  output: z.object({ id: z.string(), secret: z.string(), expires_at: z.string(), position: z.string() }),
  reads: [],
  write: true,
  secret: true,
})

export const listCredentials = endpoint({
  id: 'credential.list',
  method: 'GET',
  path: '/v1/service-credential',
  access: 'credential.manage',
  summary: 'Credentials of exchanges and bidders in reach, newest first, without their secrets',
  output: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      kind,
      exchange: z.nullable(z.string()),
      created_by: z.string(),
      created_at: z.string(),
      expires_at: z.string(),
      revoked_at: z.nullable(z.string()),
      replaced_at: z.nullable(z.string()).check(z.describe('When a rotation replaced it; it works until `expires_at`')),
    }),
  ),
  reads: [],
})

export const rotateCredential = endpoint({
  id: 'credential.rotate',
  perDay: { of: 'person', name: 'credentials', limit: 100 },
  method: 'POST',
  path: '/v1/service-credential/:id/rotate',
  access: 'credential.manage',
  stepUp: 'session',
  summary: 'Replace a credential by a new one with its name, kind and lifetime; the old one works for 24 hours more at most',
  params: z.object({ id: z.string() }),
  output: z.object({
    id: z.string(),
    secret: z.string(),
    expires_at: z.string(),
    replaced_until: z.string().check(z.describe('Until when the old credential works, an instant')),
    position: z.string(),
  }),
  reads: [],
  write: true,
  secret: true,
})

export const revokeCredential = endpoint({
  id: 'credential.revoke',
  stops: true,
  method: 'DELETE',
  path: '/v1/service-credential/:id',
  access: 'credential.manage',
  stepUp: 'session',
  summary: 'Revoke a credential; it is refused within five seconds',
  params: z.object({ id: z.string() }),
  output: z.object({ position: z.string() }),
  reads: [],
  write: true,
})

export const CREDENTIAL_ENDPOINTS = [createCredential, listCredentials, rotateCredential, revokeCredential]
