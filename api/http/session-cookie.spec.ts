import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { installErrors } from './envelope.ts'
import { createSessionCookie } from './session-cookie.ts'

const TOKEN = 'r'.repeat(43)
const signed = { access_token: 'a', refresh_token: TOKEN, refresh_expires_in: 60, expires_in: 3600, space_id: 's' }
const ASKED = { 'x-placard-session': 'cookie' }

/** Answer of a host: the tokens of a sign-in, and the token that a refresh presents. */
async function ask(path: '/sign-in' | '/refresh', headers: Record<string, string>, publicOrigin: string | null = null) {
  const app = fastify({ trustProxy: true })
  installErrors(app)
  const cookie = createSessionCookie({ publicOrigin })
  app.post('/sign-in', async (_request, reply) => cookie.answer(reply, signed))
  app.post('/refresh', async (request, _reply) => cookie.presented(request, undefined))
  const answer = await app.inject({ method: 'POST', url: path, headers })
  await app.close()
  return { cookie: answer.headers['set-cookie'], body: answer.json<Record<string, unknown> & { type?: { code: number } }>() }
}
/** The code of a refusal; 0 for a token that is taken. */
const codeOf = async (headers: Record<string, string>, publicOrigin: string | null = null) =>
  (await ask('/refresh', { ...ASKED, ...headers }, publicOrigin)).body.type?.code ?? 0

describe('the cookie of a session', () => {
  it.each([
    { over: 'plain http', host: 'ads.example:3000', publicOrigin: null, name: 'placard-refresh-3000', secure: false },
    { over: 'plain http at the usual port', host: 'ads.example', publicOrigin: null, name: 'placard-refresh', secure: false },
    { over: 'a proxy that says https', host: 'ads.example', proto: 'https', name: '__Host-placard-refresh', secure: true },
    {
      over: 'https by the public address',
      host: 'ads.example',
      publicOrigin: 'https://ads.example',
      name: '__Host-placard-refresh',
      secure: true,
    },
    {
      over: 'plain http on this machine',
      host: 'localhost:3000',
      publicOrigin: 'https://ads.example',
      name: 'placard-refresh-3000',
      secure: false,
    },
  ])('the cookie of a session is called $name over $over', async ({ host, proto, publicOrigin = null, name, secure }) => {
    const headers = { host, ...ASKED, ...(proto === undefined ? {} : { 'x-forwarded-proto': proto }) }
    const { cookie, body } = await ask('/sign-in', headers, publicOrigin)
    expect(cookie).toBe(`${name}=${TOKEN}; Path=/; Max-Age=60; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`)
    expect(body).toEqual({ access_token: 'a', expires_in: 3600, space_id: 's' })
    expect((await ask('/refresh', { ...headers, cookie: `other=1; ${name}=${TOKEN}` }, publicOrigin)).body).toEqual({
      token: TOKEN,
      by: 'cookie',
    })
  })

  it('the cookie of a session is not set without the header, and the answer holds the token', async () => {
    const { cookie, body } = await ask('/sign-in', { host: 'ads.example' })
    expect(cookie).toBeUndefined()
    expect(body).toEqual({ access_token: 'a', refresh_token: TOKEN, expires_in: 3600, space_id: 's' })
  })

  it('the cookie of a session is not read without the header', async () => {
    const { body } = await ask('/refresh', { host: 'ads.example', cookie: `placard-refresh=${TOKEN}` })
    expect(body.type?.code).toBe(2)
  })

  it.each([
    ['http://ads.example', 0],
    ['http://ads.example:8080', 0],
    ['http://ng.ads.example', 5],
    ['http://evil.example', 5],
    ['null', 5],
    ['', 5],
  ])('the cookie of a session is taken from a page of its own host alone: %s', async (origin, code) => {
    expect(await codeOf({ host: 'Ads.example', origin, cookie: `placard-refresh=${TOKEN}` })).toBe(code)
  })

  it.each([
    ['https://ads.example', 0],
    ['http://ads.example', 5],
  ])('the cookie of a session is taken over https from no page of plain http: %s', async (origin, code) => {
    expect(await codeOf({ host: 'ads.example', origin }, 'https://ads.example')).toBe(code)
  })
})
