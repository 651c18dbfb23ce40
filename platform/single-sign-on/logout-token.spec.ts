import { generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { SignOnFault } from '#commands/single-sign-on/single-sign-on-port'
import { claimedIn, readLogoutToken } from './logout-token.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const PROVIDER = { issuer: 'https://id.example', clientId: 'placard' }
const now = (): number => Math.floor(Date.now() / 1000)
type Claims = Readonly<Record<string, unknown>>
const claims = (over: Claims = {}): Claims => ({
  iss: PROVIDER.issuer,
  aud: 'placard',
  sub: 'mo',
  iat: now(),
  exp: now() + 120,
  jti: 'sign-out',
  events: { [EVENT]: {} },
  ...over,
})
const keys = generateKeyPair('RS256')
const signed = async (payload: Claims, pair = keys) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'RS256' }).sign((await pair).privateKey)
const read = (token: string) => readLogoutToken(token, PROVIDER, async () => (await keys).publicKey)
const reasonOf = async (token: string) =>
  read(token).then(
    () => null,
    (error: unknown) => (error instanceof SignOnFault ? error.reason : error),
  )

describe('a token of a sign-out', () => {
  // covers FP-92
  it('proves the person, the session or both, for sessions from before it', async () => {
    const iat = now()
    const before = new Date((iat + 30) * 1000).toISOString()
    expect(await read(await signed(claims({ iat })))).toEqual({ subject: 'mo', session: null, before })
    expect(await read(await signed(claims({ iat, sid: 'a' })))).toEqual({ subject: 'mo', session: 'a', before })
    expect(await read(await signed(claims({ iat, sub: undefined, sid: 'a' })))).toEqual({ subject: null, session: 'a', before })
  })

  // covers FP-92
  it.each<[string, () => Claims]>([
    ['for another client', () => ({ aud: 'other' })],
    ['of another issuer', () => ({ iss: 'https://other.example' })],
    ['without an issuer', () => ({ iss: undefined })],
    ['about another event', () => ({ events: { 'https://acme.example/event': {} } })],
    ['about no event', () => ({ events: undefined })],
    ['with an event that is no object', () => ({ events: { [EVENT]: true } })],
    ['with a nonce, as an ID token has', () => ({ nonce: 'x' })],
    ['without an id of its own', () => ({ jti: undefined })],
    ['of three minutes ago', () => ({ iat: now() - 180 })],
    ['without a time', () => ({ iat: undefined })],
    ['that is over', () => ({ exp: now() - 60 })],
    ['about neither a session nor a person', () => ({ sub: undefined })],
  ])('proves nothing %s', async (_, over) => expect(await reasonOf(await signed(claims(over())))).toBe('invalid'))

  it('proves nothing with a signature by another key or none', async () => {
    expect(await reasonOf(await signed(claims(), generateKeyPair('RS256')))).toBe('invalid')
    const [head, body] = [{ alg: 'none' }, claims()].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    for (const token of [`${head}.${body}.`, 'a.b.c']) expect(await reasonOf(token)).toBe('invalid')
  })

  it('says from and for whom it claims to be before it is proved', async () => {
    expect(claimedIn(await signed(claims()))).toEqual({ issuer: PROVIDER.issuer, audience: ['placard'] })
    expect(claimedIn('a.b.c')).toBeNull()
  })
})
