import { endpoint, named } from './http.ts'
import { z } from './zod.ts'

/** Sign-in, the signed-in user, the white-label (platform.md §7). */

const signed = named(
  'Tokens',
  z.object({ access_token: z.string(), refresh_token: z.string(), expires_in: z.number(), space_id: z.string() }),
)

export const signIn = endpoint({
  id: 'session.signIn',
  reads: [],
  method: 'POST',
  path: '/v1/oauth/token',
  access: 'public',
  summary: 'Sign in with an email address and a password',
  body: 'form',
  input: z.object({
    grant_type: z.optional(z.literal('password')),
    username: z.string().check(z.minLength(1), z.maxLength(300)),
    password: z.string().check(z.minLength(1), z.maxLength(1000)),
  }),
  output: signed,
})

export const refreshSession = endpoint({
  id: 'session.refresh',
  reads: [],
  method: 'POST',
  path: '/v1/oauth/refresh',
  access: 'public',
  summary: 'Exchange a refresh token for a new pair; each works once',
  body: 'form',
  input: z.object({ refresh_token: z.string().check(z.minLength(1), z.maxLength(500)) }),
  output: signed,
})

export const signOut = endpoint({
  id: 'session.signOut',
  reads: [],
  method: 'POST',
  path: '/v1/oauth/logout',
  access: 'public',
  summary: 'End the session of a refresh token',
  body: 'form',
  input: z.object({ refresh_token: z.string().check(z.minLength(1), z.maxLength(500)) }),
  output: z.object({}),
})

export const user = named(
  'User',
  z.object({
    id: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    phone: z.nullable(z.string()),
    roles: z.array(z.string()),
    role_key: z.string(),
    space_id: z.string(),
    space_name: z.string(),
    currency: z.string(),
    balance: z.number(),
    whitelabel_id: z.string(),
    created_at: z.string(),
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
  reads: ['accounts'],
  method: 'POST',
  path: '/v1/user/account/switch/:id',
  access: 'signed-in',
  summary: 'Act in another account; the id is that of its space',
  params: z.object({ id: z.string() }),
  output: signed,
})

export const SESSION_ENDPOINTS = [signIn, refreshSession, signOut, getUser, switchAccount]
