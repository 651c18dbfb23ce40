import { generateKeyPairSync } from 'node:crypto'
import { decodeAttestationObject, parseAuthenticatorData } from '@simplewebauthn/server/helpers'
import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import type { Db } from '#migrations/db'
import { createAuthenticator, type Deviations } from '#test/support/authenticator'
import { createPasskeys } from './passkeys.ts'

const ORIGIN = 'http://localhost:3000'
/** Answers every query with no row; a transaction begins only for an answer that proves a passkey. */
const query: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === 'execute' ? async () => [] : () => query),
})
const db = { selectFrom: () => query, transaction: () => ({ execute: async () => 'proved' }) } as unknown as Kysely<Db>
const passkeys = createPasskeys({
  db,
  secret: 'secret',
  now: () => '2026-11-10T12:00:00.000Z',
  newId: () => 'id',
  originOf: () => ORIGIN,
})
const device = createAuthenticator(ORIGIN)
const adding = {
  person: { id: 'amina', whitelabel_id: 'dsp', email: 'a@nile.example', first_name: 'Amina', last_name: '' },
  version: 1,
}

async function added(over: Deviations = {}) {
  const options = await passkeys.beginAdding(adding as never, 'Placard')
  const made = device.create(options, over)
  return { ...made, outcome: await passkeys.add(adding, 'Laptop', made.credential) }
}

async function signedIn(over: Deviations = {}) {
  const { held, credential } = await added()
  const attestation = decodeAttestationObject(Buffer.from(credential.response.attestationObject, 'base64url'))
  const { credentialPublicKey } = parseAuthenticatorData(attestation.get('authData'))
  const stored = { id: 'p', personId: 'amina', credentialId: held.id, publicKey: Buffer.from(credentialPublicKey ?? []) }
  const answer = device.get(held, await passkeys.beginSignIn('dsp'), over)
  return passkeys.verify(stored, { whitelabelId: 'dsp', secondStep: null }, answer)
}

it('an honest device adds a passkey and signs in', async () =>
  expect([(await added()).outcome, await signedIn()]).toEqual(['proved', 'proved']))

type Case = readonly [what: string, over: Deviations]
const BOTH: readonly Case[] = [
  ['of another origin', { origin: 'http://evil.localhost' }],
  ['of another port of the host', { origin: 'http://localhost:1' }],
  ['for another host', { rpId: 'evil.localhost' }],
  ['without verification of the user', { verifiesUser: false }],
]

it.each<Case>([
  ...BOTH,
  ['signed by another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ['for another user', { userHandle: Buffer.from('someone').toString('base64url') }],
  ['to a request for a new passkey', { type: 'webauthn.create' }],
])('a sign-in by an answer %s is wrong', async (_, over) => expect(await signedIn(over)).toBe('wrong'))

it.each<Case>([
  ...BOTH,
  ['to a request to sign in', { type: 'webauthn.get' }],
  [
    'with a certificate, whose check could fetch an address',
    { format: 'packed', attestation: new Map([['x5c', new Uint8Array(9)]]) },
  ],
  ['with an unknown attestation', { format: 'unknown' }],
])('a passkey by an answer %s is wrong', async (_, over) => expect((await added(over)).outcome).toBe('wrong'))

it.each(['', 'forged', 'A'.repeat(75)])('the challenge "%s", which the product did not make, is over', async (challenge) =>
  expect([(await added({ challenge })).outcome, await signedIn({ challenge })]).toEqual(['over', 'over']),
)
