import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import { z } from '#contract/zod'
import { createPeople } from '#platform/identity/people'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

type Tokens = {
  readonly access_token: string
  readonly refresh_token?: string
  readonly expires_in: number
  readonly space_id: string
}
type Asked = {
  readonly form?: Record<string, string>
  readonly json?: object
  readonly headers?: Record<string, string>
  readonly token?: string
  readonly method?: string
}

const ASKED = { 'x-placard-session': 'cookie' }

let product: TestProduct
beforeAll(async () => {
  product = await startTestProduct()
})
afterAll(() => product.stop())

async function ask(path: string, { form, json, headers = {}, token, method = 'POST' }: Asked = {}) {
  const response = await fetch(product.base + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const { type, data }: { type: { code: number }; data: Tokens } = await response.json()
  const [cookie = ''] = response.headers.getSetCookie()
  return { status: response.status, code: type.code, data, cookie, pair: cookie.split(';', 1)[0] ?? '' }
}

/** A user of their own, so that tests do not end each other's sessions. */
async function newUser() {
  const id = newId()
  const email = `${id}@nile.example`
  const { rows } = await product.database.pool.query<{ home_space_id: string }>(
    `select home_space_id from identity.people where email = 'ada@nile.example'`,
  )
  const home_space_id = rows[0]?.home_space_id ?? ''
  await createPeople(createKysely(product.database.pool), { demo: true }).create({
    id,
    whitelabel_id: 'dsp',
    home_space_id,
    roles: ['USER_OWNER'],
    first_name: 'Amina',
    last_name: 'Okafor',
    email,
    phone: null,
    password: PASSWORD,
  })
  const signIn = (headers: Record<string, string> = ASKED) =>
    ask('/v1/oauth/token', { form: { grant_type: 'password', username: email, password: PASSWORD }, headers })
  const sessions = async () => {
    const { rows: found } = await product.database.pool.query(
      'select 1 from identity.session_families where person_id = $1 and revoked_at is null',
      [id],
    )
    return found.length
  }
  return { id, home: home_space_id, signIn, sessions }
}
const refresh = (pair: string, headers: Record<string, string> = {}) =>
  ask('/v1/oauth/refresh', { form: {}, headers: { ...ASKED, cookie: pair, ...headers } })

/** Moves the use of tokens back, as if the browser had waited. */
const wait = (person: string, seconds: number) =>
  product.database.pool.query('update identity.sessions set used_at = used_at - make_interval(secs => $2) where person_id = $1', [
    person,
    seconds,
  ])

const COOKIE = /^placard-refresh-\d+=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/
const CLEARED = /^placard-refresh-\d+=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/

describe('the refresh token', () => {
  it('the refresh token may travel in a cookie in each call whose answer holds one', () => {
    const holding = ENDPOINTS.filter(({ output }) =>
      JSON.stringify(z.toJSONSchema(output, { unrepresentable: 'any' })).includes('"refresh_token"'),
    )
    expect(holding.length).toBeGreaterThan(5)
    const declared = ENDPOINTS.filter(({ session }) => session === 'opens' || session === 'renews')
    expect(declared.map(({ id }) => id)).toEqual(holding.map(({ id }) => id))
  })

  // covers FP-90
  it.each([
    {
      call: 'a sign-in',
      of: async (headers: Record<string, string>) => (await newUser()).signIn(headers),
    },
    {
      call: 'a switch of the account',
      of: async (headers: Record<string, string>) => {
        const user = await newUser()
        const { data } = await user.signIn({})
        return ask(`/v1/user/account/switch/${user.home}`, { token: data.access_token, headers })
      },
    },
    {
      call: 'a new password',
      of: async (headers: Record<string, string>) => {
        const { data } = await (await newUser()).signIn()
        const json = { oldPassword: PASSWORD, newPassword: 'Quiet#River7' }
        return ask('/v1/user/change-password', { json, token: data.access_token, headers })
      },
    },
    {
      call: 'a refresh',
      of: async (headers: Record<string, string>) => {
        const { data } = await (await newUser()).signIn({})
        return ask('/v1/oauth/refresh', { form: { refresh_token: data.refresh_token ?? '' }, headers })
      },
    },
  ])('the refresh token of $call is in the body, or with the header in a cookie alone', async ({ of }) => {
    const plain = await of({})
    expect([plain.code, plain.cookie]).toEqual([0, ''])
    expect(plain.data.refresh_token).toMatch(/^[\w-]{43}$/)
    const { data, cookie, code } = await of(ASKED)
    expect(code).toBe(0)
    expect(cookie).toMatch(COOKIE)
    const { refresh_token: _, ...rest } = plain.data
    expect(Object.keys(data).toSorted()).toEqual(Object.keys(rest).toSorted())
    expect(JSON.stringify(data)).not.toContain('refresh')
  })

  it('the refresh token of a session from before the cookie moves into it', async () => {
    const user = await newUser()
    const { data } = await user.signIn({})
    const moved = await ask('/v1/oauth/refresh', { form: { refresh_token: data.refresh_token ?? '' }, headers: ASKED })
    expect(moved.data.refresh_token).toBeUndefined()
    expect((await refresh(moved.pair)).code).toBe(0)
    expect(await user.sessions()).toBe(1)
  })

  it('the refresh token is needed in the body without the header', async () => {
    const { pair } = await (await newUser()).signIn()
    const answer = await ask('/v1/oauth/refresh', { form: {}, headers: { cookie: pair } })
    expect([answer.status, answer.code]).toEqual([400, 2])
    expect((await ask('/v1/oauth/logout', { form: {}, headers: { cookie: pair } })).code).toBe(2)
    expect((await refresh('other=1')).code).toBe(5)
    expect((await refresh(pair)).code).toBe(0)
  })
})

describe('a session in a cookie', () => {
  /** An owner, who may switch into an account. */
  const owner = async (form: Record<string, string>) =>
    ask('/v1/oauth/token', { form: { username: 'owner@dsp.example', password: PASSWORD }, headers: form })
  const nile = async () => {
    const { rows } = await product.database.pool.query<{ home_space_id: string }>(
      `select home_space_id from identity.people where email = 'ada@nile.example'`,
    )
    return rows[0]?.home_space_id ?? ''
  }

  // covers FP-90
  it('answers no refresh token to its access token, which alone may be stolen, and its cookie follows into the account', async () => {
    const { data, pair } = await owner(ASKED)
    const account = await nile()
    for (const headers of [{}, ASKED]) {
      const switched = await ask(`/v1/user/account/switch/${account}`, { token: data.access_token, headers })
      expect([switched.code, switched.cookie, switched.data.space_id]).toEqual([0, '', account])
      expect(Object.keys(switched.data).toSorted()).toEqual(['access_token', 'expires_in', 'space_id'])
    }
    const next = await refresh(pair)
    expect([next.code, next.data.space_id]).toEqual([0, account])
  })

  // covers FP-90
  it('a session in a cookie is one from the moment on at which its token moved into the cookie', async () => {
    const { data } = await owner({})
    const account = await nile()
    const moved = await ask(`/v1/user/account/switch/${account}`, { token: data.access_token, headers: ASKED })
    expect(moved.cookie).toMatch(COOKIE)
    const again = await ask(`/v1/user/account/switch/${account}`, { token: moved.data.access_token })
    expect(again.data.refresh_token).toBeUndefined()

    const other = await owner({})
    const form = { refresh_token: other.data.refresh_token ?? '' }
    const refreshed = await ask('/v1/oauth/refresh', { form, headers: ASKED })
    const stolen = await ask(`/v1/user/account/switch/${account}`, { token: refreshed.data.access_token })
    expect([stolen.code, stolen.data.refresh_token, stolen.cookie]).toEqual([0, undefined, ''])
  })
})

describe('the cookie of a session', () => {
  // covers FP-90
  it('the cookie of a session is replaced by each refresh, and a used one ends the session once the tabs have the next', async () => {
    const user = await newUser()
    const first = await user.signIn()
    const second = await refresh(first.pair)
    expect([second.code, second.cookie]).toEqual([0, expect.stringMatching(COOKIE)])
    expect(second.pair).not.toBe(first.pair)
    await wait(user.id, 11)
    const stolen = await refresh(first.pair)
    expect([stolen.code, stolen.cookie]).toEqual([5, expect.stringMatching(CLEARED)])
    expect([(await refresh(second.pair)).code, await user.sessions()]).toEqual([5, 0])
  })

  it('lets 30 refreshes at once through, in one session that goes on', async () => {
    const user = await newUser()
    const { pair } = await user.signIn()
    const answers = await Promise.all(Array.from({ length: 30 }, () => refresh(pair)))
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 0))
    const next = answers.filter(({ cookie }) => cookie !== '')
    expect(next).toHaveLength(1)
    expect(await user.sessions()).toBe(1)
    expect((await refresh(next[0]?.pair ?? '')).code).toBe(0)
    expect((await ask('/v1/user/me', { method: 'GET', token: answers.at(-1)?.data.access_token ?? '' })).code).toBe(0)
  })

  // covers FP-90
  it.each(['https://evil.example', 'http://ng.localhost', 'null'])(
    'the cookie of a session is refused to a page of %s, and goes on',
    async (origin) => {
      const user = await newUser()
      const { pair } = await user.signIn()
      const refused = await refresh(pair, { origin })
      expect([refused.status, refused.code, refused.cookie]).toEqual([401, 5, ''])
      const out = await ask('/v1/oauth/logout', { form: {}, headers: { ...ASKED, cookie: pair, origin } })
      expect([out.code, out.cookie]).toEqual([5, ''])
      expect((await refresh(pair, { origin: product.base })).code).toBe(0)
    },
  )

  // covers FP-90
  it('identifies the caller of no other call', async () => {
    const { pair } = await (await newUser()).signIn()
    const signedIn = ENDPOINTS.filter(({ access, stream }) => access !== 'public' && stream !== true)
    expect(signedIn.length).toBeGreaterThan(100)
    for (const { method, path, id } of signedIn) {
      const url = path.replaceAll(/:\w+|\*/g, 'x')
      const response = await fetch(product.base + url, { method, headers: { ...ASKED, cookie: pair } })
      expect([id, response.status]).toEqual([id, 401])
      await response.body?.cancel()
    }
  })

  // covers FP-90
  it('the cookie of a session is cleared by a sign-out, which ends the session', async () => {
    const user = await newUser()
    const { pair } = await user.signIn()
    const out = await ask('/v1/oauth/logout', { form: {}, headers: { ...ASKED, cookie: pair } })
    expect([out.code, out.cookie]).toEqual([0, expect.stringMatching(CLEARED)])
    expect(await user.sessions()).toBe(0)
    const refused = await refresh(pair)
    expect([refused.code, refused.cookie]).toEqual([5, expect.stringMatching(CLEARED)])
  })

  it('the cookie of a session is cleared by the end of its session', async () => {
    const user = await newUser()
    const [one, other] = [await user.signIn(), await user.signIn()]
    expect((await ask('/v1/user/sessions/end-others', { token: other.data.access_token })).code).toBe(0)
    const refused = await refresh(one.pair)
    expect([refused.code, refused.cookie]).toEqual([5, expect.stringMatching(CLEARED)])
    expect((await refresh(other.pair)).code).toBe(0)
  })
})
