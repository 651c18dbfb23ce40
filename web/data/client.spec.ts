import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { endpoint } from '#contract/http'
import { signOut } from '#contract/session'
import { z } from '#contract/zod'
import { AppError, NOT_PROVED } from './app-error.ts'
import { stepUp } from './step-up.ts'
import { call, endSession, onSignedOut } from './client.ts'
import { setClock } from '@/lib/clock'
import { forgetPosition } from './position.ts'
import { accessToken, storedRefreshToken, storeGrant } from '@/session/token-store'

const read = endpoint({
  id: 'r',
  reads: [],
  method: 'GET',
  path: '/v1/thing/:id',
  access: 'signed-in',
  summary: '',
  params: z.object({ id: z.string() }),
  output: z.unknown(),
})
const write = endpoint({
  id: 'w',
  reads: [],
  method: 'POST',
  path: '/v1/thing',
  access: 'signed-in',
  summary: '',
  body: 'json',
  input: z.object({ a: z.number() }),
  output: z.unknown(),
  command: true,
})

type Answer = { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> }
type Sent = { readonly url: string; readonly headers: Headers; readonly body: unknown }

const ok = (data: unknown = {}) => ({ body: { type: { code: 0, key: 'OK', message: '' }, data } })
const unauthorized = { status: 401, body: { type: { code: 401, key: 'unauthorized', message: 'Unauthorized' }, data: null } }
const granted = ok({ access_token: 'new', expires_in: 3600, space_id: 's' })

let sent: Sent[]
function server(answer: (request: Sent) => Answer) {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const request = { url, headers: new Headers(init.headers), body: init.body }
    sent.push(request)
    await Promise.resolve()
    const { status = 200, body, headers } = answer(request)
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })
  })
}
const signIn = (expiresIn: number) => storeGrant({ access_token: 'old', expires_in: expiresIn }, Date.now())
const refreshes = () => sent.filter(({ url }) => url === '/v1/oauth/refresh')
const signedOut = vi.fn<() => void>()

beforeEach(() => {
  sent = []
  forgetPosition()
  signedOut.mockClear()
  onSignedOut(signedOut)
})
afterEach(() => vi.unstubAllGlobals())

describe('the session', () => {
  // covers AUTH-22
  it('the session is refreshed once for concurrent calls when it ends within ten seconds', async () => {
    signIn(9)
    server(({ url }) => (url === '/v1/oauth/refresh' ? granted : ok()))
    await Promise.all(['a', 'b', 'c'].map((id) => call(read, { params: { id } })))
    expect(refreshes()).toHaveLength(1)
    expect([refreshes()[0]?.body?.toString(), refreshes()[0]?.headers.get('X-Placard-Session')]).toEqual(['', 'cookie'])
    const calls = sent.filter(({ url }) => url.startsWith('/v1/thing'))
    expect(calls.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer new', 'Bearer new', 'Bearer new'])
    expect(storedRefreshToken()).toBeNull()
  })

  it('the session from before the cookie sends its stored token once, and removes it for the cookie', async () => {
    storeGrant({ access_token: 'old', refresh_token: 'one', expires_in: 9 }, Date.now())
    server(({ url }) => (url === '/v1/oauth/refresh' ? granted : ok()))
    await call(read, { params: { id: 'a' } })
    expect(refreshes()[0]?.body?.toString()).toBe('refresh_token=one')
    expect(refreshes()[0]?.headers.get('X-Placard-Session')).toBe('cookie')
    expect([accessToken(), localStorage.getItem('DSP_REFRESH_TOKEN')]).toEqual(['new', null])
  })

  it('keeps the next token of an API on another host, from which browsers keep no cookie', async () => {
    const meta = document.createElement('meta')
    meta.name = 'api-base'
    meta.content = 'https://api.example'
    document.head.append(meta)
    onTestFinished(() => meta.remove())
    storeGrant({ access_token: 'old', refresh_token: 'one', expires_in: 9 }, Date.now())
    const next = ok({ access_token: 'new', refresh_token: 'two', expires_in: 3600, space_id: 's' })
    server(({ url }) => (url === 'https://api.example/v1/oauth/refresh' ? next : ok()))
    await call(read, { params: { id: 'a' } })
    expect(sent[0]?.headers.has('X-Placard-Session')).toBe(false)
    expect([accessToken(), storedRefreshToken()]).toEqual(['new', 'two'])
  })

  it('the session is not taken up again by a cookie once this browser signed out', async () => {
    server(({ url }) => (url === '/v1/oauth/refresh' ? granted : unauthorized))
    await expect(call(read, { params: { id: 'a' } })).rejects.toMatchObject({ code: 401 })
    expect([refreshes(), accessToken()]).toEqual([[], null])
  })

  it('the session that another tab stored during a refresh is kept', async () => {
    signIn(9)
    server(({ url }) => {
      if (url === '/v1/oauth/refresh') storeGrant({ access_token: 'other', expires_in: 3600 }, Date.now())
      return url === '/v1/oauth/refresh' ? granted : ok()
    })
    await call(read, { params: { id: 'a' } })
    expect(accessToken()).toBe('other')
  })

  it('the session is opened, renewed and ended by one tab at a time, each asking for the cookie', async () => {
    const held: string[] = []
    vi.stubGlobal('navigator', {
      locks: {
        request: async (name: string, work: () => Promise<unknown>) => {
          held.push(`${name} ${sent.length}`)
          const done = await work()
          held.push(`answered ${sent.length}`)
          return done
        },
      },
    })
    server(() => ok({ end_url: null }))
    await call(signOut, { body: {} })
    expect(held).toEqual(['dsp-refresh 0', 'answered 1'])
    expect(sent[0]?.headers.get('X-Placard-Session')).toBe('cookie')
    signIn(3600)
    await call(read, { params: { id: 'a' } })
    expect([held.length, sent[1]?.headers.has('X-Placard-Session')]).toEqual([2, false])
  })

  it('the session is not refreshed when it lasts longer', async () => {
    signIn(11)
    server(() => ok())
    await call(read, { params: { id: 'a' } })
    expect(refreshes()).toHaveLength(0)
  })

  it('the session is refreshed after a 401, and the command is sent again with the same key', async () => {
    signIn(3600)
    server(({ url, headers }) =>
      url === '/v1/oauth/refresh' ? granted : headers.get('Authorization') === 'Bearer new' ? ok(7) : unauthorized,
    )
    await expect(call(write, { body: { a: 1 } })).resolves.toBe(7)
    const keys = sent.filter(({ url }) => url === '/v1/thing').map(({ headers }) => headers.get('Idempotency-Key'))
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
  })

  it('ends when the new token is refused too', async () => {
    signIn(3600)
    server(({ url }) => (url === '/v1/oauth/refresh' ? granted : unauthorized))
    await expect(call(read, { params: { id: 'a' } })).rejects.toMatchObject({ code: 401 })
    expect(sent.filter(({ url }) => url.startsWith('/v1/thing'))).toHaveLength(2)
    expect(signedOut).toHaveBeenCalledOnce()
    expect(accessToken()).toBeNull()
  })

  // covers AUTH-23 AUTH-24
  it('ends when the refresh fails', async () => {
    signIn(3600)
    server(() => unauthorized)
    await expect(call(read, { params: { id: 'a' } })).rejects.toBeInstanceOf(AppError)
    expect(refreshes()).toHaveLength(1)
    expect(signedOut).toHaveBeenCalledOnce()
    expect([accessToken(), storedRefreshToken()]).toEqual([null, null])
  })
})

describe('answers', () => {
  beforeEach(() => signIn(3600))

  // covers AUTH-48
  it('answers come from the server that the page configuration names', async () => {
    const meta = document.createElement('meta')
    meta.name = 'api-base'
    meta.content = 'https://api.example/'
    document.head.append(meta)
    server(() => ok())
    await call(read, { params: { id: 'a' } })
    expect(sent.at(-1)?.url).toBe('https://api.example/v1/thing/a')
    meta.remove()
    await call(read, { params: { id: 'a' } })
    expect(sent.at(-1)?.url).toBe('/v1/thing/a')
  })

  // covers AUTH-49
  it('answers are accepted in each of their four forms', async () => {
    for (const type of [{ code: 0 }, { code: '0' }, { code: 'OK' }, { code: 200, key: 'ok' }]) {
      server(() => ({ body: { type, data: 'fine' } }))
      await expect(call(read, { params: { id: 'a b' } })).resolves.toBe('fine')
    }
    expect(sent[0]?.url).toBe('/v1/thing/a%20b')
  })

  it('answers of refused calls become errors with code, message and every fault', async () => {
    const errors = [
      { path: 'name', code: 1312, message: 'taken' },
      { path: 'budget', code: 2, message: 'bad', tab: 'basicInfo' },
    ]
    server(() => ({
      status: 409,
      body: { type: { code: 1312, key: 'campaign_name_not_unique', message: 'taken' }, data: { errors } },
    }))
    await expect(call(write, { body: { a: 1 } })).rejects.toMatchObject({
      code: 1312,
      status: 409,
      message: 'taken',
      faults: errors,
    })
  })

  it('answers that ask for a retry are retried once with the same key', async () => {
    server(() => (sent.length === 1 ? { status: 503, headers: { 'Retry-After': '0' }, body: {} } : ok('late')))
    await expect(call(write, { body: { a: 1 } })).resolves.toBe('late')
    expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1)
  })

  it('answers are marked as sent by the page itself while the user made no input for a minute', async () => {
    signIn(3600)
    server(() => ok())
    window.dispatchEvent(new Event('keydown'))
    const start = Date.now()
    const marked = async (ms: number) => {
      setClock(() => start + ms)
      await call(read, { params: { id: 'a' } })
      return sent.at(-1)?.headers.get('X-Placard-Unattended')
    }
    try {
      expect([await marked(50_000), await marked(62_000)]).toEqual([null, 'true'])
      window.dispatchEvent(new Event('pointermove'))
      expect(await marked(63_000)).toBe(null)
      // A refresh that follows is marked too.
      setClock(() => start + 200_000)
      server(({ url }) => (url === '/v1/oauth/refresh' ? granted : sent.length === 4 ? unauthorized : ok()))
      await call(read, { params: { id: 'a' } })
      expect(refreshes()[0]?.headers.get('X-Placard-Unattended')).toBe('true')
    } finally {
      setClock(null)
      window.dispatchEvent(new Event('keydown'))
    }
  })

  it('answers store the newest position, which later calls send back', async () => {
    server(() => ({ ...ok({ position: '12' }), headers: { 'X-Position': '9' } }))
    await call(write, { body: { a: 1 } })
    server(() => ok({ position: '3' }))
    await call(read, { params: { id: 'a' } })
    await call(read, { params: { id: 'a' } })
    expect(sent.map(({ headers }) => headers.get('X-Position'))).toEqual([null, '12', '12'])
  })
})

describe('a call that needs a proof', () => {
  const unproved = {
    status: 401,
    body: {
      type: { code: 401, key: 'unauthorized', message: 'Unauthorized' },
      data: { errors: [], step_up: { methods: ['password', 'code'] } },
    },
  }
  let hasProof = false
  /** Questions so far; each is answered by the test. */
  let questions = 0
  beforeEach(() => {
    signIn(3600)
    hasProof = false
    questions = 0
    const stop = stepUp.subscribe(() => {
      if (stepUp.asked() !== null) questions++
    })
    server(() => (hasProof ? ok(7) : unproved))
    return stop
  })
  const asked = () => waitFor(() => expect(stepUp.asked()).toEqual({ methods: ['password', 'code'] }))

  it('a call that needs a proof is sent again once with the same key after the proof, without a refresh', async () => {
    const answer = call(write, { body: { a: 1 } })
    await asked()
    hasProof = true
    stepUp.answer(true)
    await expect(answer).resolves.toBe(7)
    expect(sent.map(({ url }) => url)).toEqual(['/v1/thing', '/v1/thing'])
    expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1)
    expect(stepUp.asked()).toBeNull()
    expect(signedOut).not.toHaveBeenCalled()
  })

  // covers FP-83
  it('asks once for all that are refused meanwhile', async () => {
    const answers = Promise.all(['a', 'b', 'c'].map((id) => call(read, { params: { id } })))
    await waitFor(() => expect(sent).toHaveLength(3))
    await asked()
    hasProof = true
    stepUp.answer(true)
    await expect(answers).resolves.toEqual([7, 7, 7])
    expect([questions, sent.length]).toEqual([1, 6])
  })

  it('fails with a code of its own when the user gives up, and puts the question once more at the next call', async () => {
    const answer = call(write, { body: { a: 1 } })
    await asked()
    stepUp.answer(false)
    await expect(answer).rejects.toMatchObject({ code: NOT_PROVED, status: 401 })
    expect(sent).toHaveLength(1)
    const next = call(write, { body: { a: 1 } })
    await asked()
    hasProof = true
    stepUp.answer(true)
    await expect(next).resolves.toBe(7)
    expect([questions, signedOut.mock.calls.length]).toEqual([2, 0])
  })

  it('a call that needs a proof is no loop where a proof is refused too, and leaves the session', async () => {
    const answer = call(write, { body: { a: 1 } })
    await asked()
    stepUp.answer(true)
    await expect(answer).rejects.toMatchObject({ code: 401, status: 401 })
    expect([questions, sent.length, signedOut.mock.calls.length]).toEqual([1, 2, 0])
    expect(accessToken()).toBe('old')
  })

  it('fails with the end of the session', async () => {
    const answer = call(write, { body: { a: 1 } })
    await asked()
    endSession('left')
    await expect(answer).rejects.toMatchObject({ code: NOT_PROVED })
    expect(stepUp.asked()).toBeNull()
  })
})

describe('an early request from before the application was loaded', () => {
  const early = (token: string, url = '/v1/thing/7') => {
    const answer = Promise.resolve(new Response(JSON.stringify(ok('early').body)))
    window.earlyRequests = [{ method: 'GET', url, token, answer }]
  }

  it('an early request from before the application was loaded is used once', async () => {
    signIn(3600)
    server(() => ok('late'))
    early('old')
    expect(await call(read, { params: { id: '7' } })).toBe('early')
    expect(await call(read, { params: { id: '7' } })).toBe('late')
    expect(sent).toHaveLength(1)
  })

  it('an early request from before the application was loaded is ignored for another call and another user', async () => {
    signIn(3600)
    server(() => ok('late'))
    early('old')
    expect(await call(read, { params: { id: '8' } })).toBe('late')
    early('of another user')
    expect(await call(read, { params: { id: '7' } })).toBe('late')
    expect(window.earlyRequests).toEqual([])
  })
})
