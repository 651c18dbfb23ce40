import { endpoint, named, position } from './http.ts'
import { passkeyCreation, passkeyCredential } from './webauthn.ts'
import { z } from './zod.ts'
import { shownName } from './shown-name.ts'

/** Passkeys of the signed-in user (fine print 78). Signing in by one is in session.ts. */

const done = z.object({ position })
const own = { access: 'profile.own', reads: [] } as const
const name = shownName()

const passkey = named(
  'Passkey',
  z.object({
    id: z.string(),
    name: z.string(),
    host: z.string().check(z.describe('The host that it signs in on')),
    backed_up: z.boolean().check(z.describe('Its provider copies it to other devices of its user')),
    created_at: z.string(),
    used_at: z.nullable(z.string()),
  }),
)
export type Passkey = z.infer<typeof passkey>

export const listPasskeys = endpoint({
  ...own,
  id: 'profile.passkeys',
  method: 'GET',
  path: '/v1/user/passkeys',
  summary: "The signed-in user's passkeys, the oldest first",
  output: z.array(passkey),
})

export const beginPasskey = endpoint({
  ...own,
  id: 'profile.beginPasskey',
  method: 'POST',
  path: '/v1/user/passkeys/begin',
  stepUp: 'session-or-password',
  summary: 'What a browser asks its user for to make a passkey; holds for five minutes',
  body: 'json',
  input: z.object({
    password: z.optional(
      z
        .string()
        .check(z.minLength(1), z.maxLength(1000), z.describe('Needed unless the session was proved in the last five minutes')),
    ),
    code: z.optional(
      z.string().check(z.minLength(6), z.maxLength(20), z.describe('Needed with the password while the second factor is on')),
    ),
  }),
  output: z.extend(named('PasskeyCreation', passkeyCreation), { position }),
  write: true,
  secret: true,
})

export const addPasskey = endpoint({
  ...own,
  id: 'profile.addPasskey',
  perDay: { of: 'person', name: 'secrets', limit: 25 },
  method: 'POST',
  path: '/v1/user/passkeys',
  summary:
    'Add the passkey that a browser made. It signs in without the password and the second factor; API keys end with its addition',
  body: 'json',
  input: z.object({ name, credential: passkeyCredential }),
  output: z.object({ id: z.string(), position }),
  write: true,
  secret: true,
})

export const renamePasskey = endpoint({
  ...own,
  id: 'profile.renamePasskey',
  method: 'PUT',
  path: '/v1/user/passkeys/:id',
  summary: 'Rename a passkey',
  params: z.object({ id: z.string() }),
  body: 'json',
  input: z.object({ name }),
  output: done,
  write: true,
})

export const removePasskey = endpoint({
  ...own,
  id: 'profile.removePasskey',
  method: 'DELETE',
  path: '/v1/user/passkeys/:id',
  stepUp: 'session',
  summary: 'Remove a passkey for good; API keys end with it, and sessions stay',
  params: z.object({ id: z.string() }),
  output: done,
  write: true,
})

export const PASSKEY_ENDPOINTS = [listPasskeys, beginPasskey, addPasskey, renamePasskey, removePasskey]
