import { endpoint, named, position } from './http.ts'
import { passkeyAssertion, passkeyRequest } from './webauthn.ts'
import { z } from './zod.ts'

/** Proofs that the user of a session is still there, which calls with `stepUp` need (fine print 83). */

const own = { access: 'profile.own', reads: [], write: true, secret: true } as const

const proved = named(
  'Proved',
  z.object({ proved_until: z.string().check(z.describe('Calls that need a proof are carried out until then')), position }),
)

export const prove = endpoint({
  ...own,
  id: 'profile.prove',
  method: 'POST',
  path: '/v1/user/proof',
  summary: 'Prove by the password, and a code while the second factor is on, that the user of the session is still there',
  body: 'json',
  input: z.object({
    password: z.string().check(z.minLength(1), z.maxLength(1000)),
    code: z.optional(z.string().check(z.minLength(6), z.maxLength(20), z.describe('Needed while the second factor is on'))),
  }),
  output: proved,
})

export const beginPasskeyProof = endpoint({
  ...own,
  id: 'profile.beginPasskeyProof',
  method: 'POST',
  path: '/v1/user/proof/passkey/begin',
  summary: 'What a browser asks its user for to prove themself by a passkey; holds for five minutes and for this session',
  output: z.extend(passkeyRequest, { position }),
})

export const proveByPasskey = endpoint({
  ...own,
  id: 'profile.proveByPasskey',
  method: 'POST',
  path: '/v1/user/proof/passkey',
  summary: 'The same proof by a passkey of the user; each answer works once',
  body: 'json',
  input: z.object({ credential: passkeyAssertion }),
  output: proved,
})

export const STEP_UP_ENDPOINTS = [prove, beginPasskeyProof, proveByPasskey]
