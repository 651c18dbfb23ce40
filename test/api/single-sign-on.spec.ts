import { createHash } from 'node:crypto'
import { createKysely, createPool } from '#platform/database/pool'
import { createProviderStore } from '#platform/single-sign-on/provider-store'
import { createSeal } from '#platform/single-sign-on/sealed'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually, PASSWORD, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { startForgedProvider, startIdentityProvider, type Directory } from '../support/identity-provider.ts'
import { serveTxt } from '../support/txt-server.ts'

/** Single sign-on (fine print 84) with a real provider over HTTP, and with one that signs what a test tells it to. */

const DOMAIN = 'nile.example'
const ADA = { email: `ada@${DOMAIN}`, email_verified: true, given_name: 'Ada', family_name: 'Love' }

let product: TestProduct
let owner: Session
let admin: Session
let house = ''
let real: Awaited<ReturnType<typeof startIdentityProvider>>
let forged: Awaited<ReturnType<typeof startForgedProvider>>
let realId = ''
let forgedId = ''
const directory: Directory = { ada: ADA }
const records: Record<string, string> = {}
let dns: Awaited<ReturnType<typeof serveTxt>>

type Settings = {
  readonly house_space_id: string
  readonly callback_url: string
  readonly providers: readonly { readonly id: string; readonly has_secret: boolean; readonly domains: number }[]
  readonly domains: readonly { readonly domain: string; readonly record: string; readonly verified_at: string | null }[]
}

const BASE = '/v1/whitelabel/dsp/sign-on'
const settingsFor = (issuer: string, over: object = {}) => ({
  name: 'Acme',
  issuer,
  client_id: 'placard',
  scopes: ['email', 'profile'],
  trusts_addresses: false,
  default_space_id: null,
  default_roles: [],
  role_claim: null,
  role_mapping: [],
  enabled: true,
  ...over,
})
/** The same settings as they are stored. */
const PUBLIC_CLIENT = {
  name: 'Acme',
  clientId: 'placard',
  clientSecret: null,
  scopes: [],
  trustsAddresses: false,
  defaultSpaceId: null,
  defaultRoles: [],
  roleClaim: null,
  roleMapping: [],
  followsClaim: true,
  enabled: false,
}
const read = async (session = owner) => (await session.call<Settings>('GET', BASE)).data

beforeAll(async () => {
  product = await startTestProduct({ PLACARD_SIGN_ON_PRIVATE: 'true' })
  owner = await product.as('owner@dsp.example')
  admin = await product.as('admin@dsp.example')
  dns = await serveTxt(records)
  real = await startIdentityProvider(product.base, directory)
  forged = await startForgedProvider()
  house = (await read()).house_space_id
  const add = (double: { readonly issuer: string; readonly clientSecret: string }) =>
    owner.call<{ id: string }>('POST', `${BASE}/providers`, {
      ...settingsFor(double.issuer),
      client_secret: double.clientSecret,
    })
  realId = (await add(real)).data.id
  forgedId = (await add(forged)).data.id
  await bind(DOMAIN, realId)
})
afterAll(async () => {
  dns.stop()
  await product.stop()
  await Promise.all([real.stop(), forged.stop()])
})
afterEach(async () => {
  forged.token = (claims) => claims
  forged.key = 'own'
  forged.away = false
})

/** Adds a domain with its record, and verifies it. */
async function bind(domain: string, provider_id: string): Promise<void> {
  const added = await owner.call<{ domain: { record: string } }>('POST', `${BASE}/domains`, { domain, provider_id })
  records[domain] = added.data.domain.record
  const { data } = await owner.call<{ verified: boolean }>('POST', `${BASE}/domains/${domain}/verify`, {})
  expect(data.verified).toBe(true)
}

const change = (id: string, double: { readonly issuer: string }, over: object = {}) =>
  owner.call('PUT', `${BASE}/providers/${id}`, settingsFor(double.issuer, over))

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
const goTo = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
const locationOf = (response: Response, base: string): string => new URL(response.headers.get('location') ?? '', base).href

/** Begins a sign-in: the cookie of the browser, and the address at the provider. */
async function begin(provider: string, to = '/campaigns') {
  const response = await goTo(`${product.base}/v1/oauth/sign-on/start/${provider}?to=${encodeURIComponent(to)}`)
  return { status: response.status, cookie: cookiesOf(response), url: new URL(locationOf(response, product.base)) }
}

/** Signs in at the real provider, and answers the callback's address. */
async function atProvider(url: URL, account: string, jar: Jar = new Map()): Promise<string> {
  real.next = account
  let at = url.href
  for (let step = 0; step < 10 && !at.startsWith(`${product.base}/v1/oauth/sign-on/callback`); step += 1)
    at = locationOf(await withJar(jar, at), at)
  return at
}

/** The cookies of a browser at the provider. */
type Jar = Map<string, string>

async function withJar(jar: Jar, url: string, init: RequestInit = {}): Promise<Response> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
  for (const set of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
    jar.set(name, value)
  }
  return response
}

type Tokens = { readonly access_token: string; readonly refresh_token: string; readonly to: string }
const redeem = async (code: string, cookie: string, headers: Record<string, string> = {}) =>
  sessionOf(product.base, '').call<Tokens>('POST', '/v1/oauth/sign-on', { code }, { cookie, ...headers })

/** Result of the callback: a code, or the reason of a refusal. */
async function finish(callback: string, cookie: string): Promise<{ readonly code: string; readonly reason: string | null }> {
  const { hash, searchParams } = new URL(locationOf(await goTo(callback, cookie), product.base))
  return { code: hash.replace('#sign-on=', ''), reason: searchParams.get('sign_on') }
}

/** The callback of the forged provider, which exchanges the nonce as its code. */
const forgedCallback = (url: URL, over: Readonly<Record<string, string>> = {}): string => {
  const { searchParams } = url
  const query = { code: searchParams.get('nonce') ?? '', state: searchParams.get('state') ?? '', iss: forged.issuer, ...over }
  return `${product.base}/v1/oauth/sign-on/callback?${new URLSearchParams(query)}`
}

/** A whole sign-in at the real provider. */
async function signIn(account: string, jar?: Jar) {
  const { cookie, url } = await begin(realId)
  const { code, reason } = await finish(await atProvider(url, account, jar), cookie)
  if (reason !== null) return { reason, session: null, tokens: null }
  const { data } = await redeem(code, cookie)
  return { reason: null, session: sessionOf(product.base, data.access_token), tokens: data }
}

async function forgedReason(over: Readonly<Record<string, string>> = {}): Promise<string | null> {
  const { cookie, url } = await begin(forgedId)
  return (await finish(forgedCallback(url, over), cookie)).reason
}

type Me = { readonly id: string; readonly email: string; readonly roles: readonly string[]; readonly first_name: string }
const me = async (session: Session | null): Promise<Me> => (await (session ?? owner).call<Me>('GET', '/v1/user/me')).data

const passwordGrant = async (username: string, password = PASSWORD) => {
  const body = new URLSearchParams({ grant_type: 'password', username, password })
  const response = await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })
  const { type, data } = await response.json()
  return { status: response.status, code: type.code as number, data }
}

describe('settings', () => {
  it('settings of single sign-on never answer the secret, which is stored sealed', async () => {
    const answer = await owner.call<Settings>('GET', BASE)
    expect(answer.data.providers.find(({ id }) => id === realId)).toMatchObject({ has_secret: true, domains: 1 })
    expect(JSON.stringify(answer.data)).not.toContain(real.clientSecret)
    const { rows } = await product.database.pool.query('select client_secret from identity.sign_on_providers')
    expect(rows).not.toHaveLength(0)
    expect(JSON.stringify(rows)).not.toContain(real.clientSecret)
  })

  it('settings of single sign-on are refused with every fault, and keep the issuer', async () => {
    const wrong = await owner.call('POST', `${BASE}/providers`, {
      ...settingsFor('ftp://nowhere'),
      default_space_id: house,
      default_roles: ['SYSTEM_ADMIN'],
      role_mapping: [{ value: 'root', roles: ['SYSTEM_ADMIN'] }],
    })
    expect(wrong.data.errors.map(({ path }) => path).sort()).toEqual(['default_roles', 'issuer', 'role_claim', 'role_mapping'])
    expect((await change(realId, forged)).data.errors).toMatchObject([{ path: 'issuer' }])
  })

  it('settings of single sign-on are bounded, however many are added at once', async () => {
    const added = await owner.call<{ id: string }>('POST', `${BASE}/providers`, settingsFor('https://third.example'))
    // Past the limit of calls of an account that are worked on at once.
    const pool = createPool(product.database.url, { max: 4, applicationName: 'placard-test' })
    const store = createProviderStore(createKysely(pool), createSeal('test'), () => new Date().toISOString())
    // Connections that are open already: else their start would keep the additions apart.
    await Promise.all([1, 2, 3, 4].map(() => pool.query('select pg_sleep(0.1)')))
    const settings = { ...PUBLIC_CLIENT, issuer: 'https://many.example' }
    const made = await Promise.all(['a', 'b', 'c', 'd'].map((id) => store.create(id, 'dsp', 'test', settings)))
    await pool.end()
    expect(made.filter(Boolean)).toHaveLength(2)
    const sixth = await owner.call('POST', `${BASE}/providers`, settingsFor('https://sixth.example'))
    expect(sixth.data.errors).toMatchObject([{ path: 'name', key: 'signOn.providers' }])
    for (const { id } of (await read()).providers)
      if (id !== realId && id !== forgedId) expect((await owner.call('DELETE', `${BASE}/providers/${id}`)).code).toBe(0)
    expect(added.code).toBe(0)
  })

  it('settings of single sign-on of another white-label do not exist', async () => {
    expect((await admin.call('POST', '/v1/whitelabel', { id: 'acme', name: 'Acme' })).code).toBe(0)
    expect((await owner.call('GET', '/v1/whitelabel/acme/sign-on')).code).toBe(170)
    const { data } = await admin.call<Settings>('GET', '/v1/whitelabel/acme/sign-on')
    expect([data.providers, data.domains]).toEqual([[], []])
    expect((await admin.call('DELETE', `/v1/whitelabel/acme/sign-on/providers/${realId}`)).code).toBe(131)
    expect((await admin.call('DELETE', `/v1/whitelabel/acme/sign-on/domains/${DOMAIN}`)).code).toBe(131)
    expect(
      (await admin.call('POST', '/v1/whitelabel/acme/sign-on/domains', { domain: 'a.example', provider_id: realId })).code,
    ).toBe(2)
    expect((await (await product.as('ada@nile.example')).call('GET', BASE)).code).toBe(3)
  })

  // covers FP-84
  it('verify a domain by its record alone, and switch no password off before', async () => {
    await owner.call('POST', `${BASE}/domains`, { domain: 'other.example', provider_id: realId })
    records['other.example'] = 'placard-verification=of-another'
    expect((await owner.call<{ verified: boolean }>('POST', `${BASE}/domains/other.example/verify`, {})).data.verified).toBe(
      false,
    )
    const off = { provider_id: realId, password_allowed: false }
    expect((await owner.call('PUT', `${BASE}/domains/other.example`, off)).data.errors).toMatchObject([
      { path: 'password_allowed' },
    ])
    expect((await owner.call('DELETE', `${BASE}/domains/other.example`)).code).toBe(0)
  })

  it('changes of single sign-on are security events, without values', async () => {
    const { rows } = await product.database.pool.query<{ details: unknown }>(
      "select details from app.security_events where type = 'settings-changed' and details::text like '%signOn.%'",
    )
    expect(rows.length).toBeGreaterThan(2)
    expect(JSON.stringify(rows)).not.toContain(real.issuer)
  })

  it('settings of single sign-on say whether a provider answers', async () => {
    const check = (id: string) => owner.call('POST', `${BASE}/providers/${id}/check`)
    expect((await check(realId)).data).toEqual({ works: true, reason: null })
    forged.away = true
    expect((await check(forgedId)).data).toEqual({ works: false, reason: 'away' })
  })
})

describe('a sign-in', () => {
  // covers FP-84
  it('links the person with the verified address, who gets a mail, and opens the page that was asked for', async () => {
    const { session, tokens } = await signIn('ada')
    expect(tokens?.to).toBe('/campaigns')
    expect(await me(session)).toMatchObject({ email: ADA.email })
    const { rows } = await product.database.pool.query(
      `select l.subject, (select count(*)::int from app.mails m where m.template = 'sign-on-linked' and m.person_id = l.person_id) as mails,
        (select count(*)::int from app.security_events e where e.type = 'sign-on-linked' and e.person_id = l.person_id) as events
       from identity.sign_on_links l where l.provider_id = $1`,
      [realId],
    )
    expect(rows).toEqual([{ subject: 'ada', mails: 1, events: 1 }])
  })

  // covers FP-84
  it('finds a linked person by the subject, whatever their address is now', async () => {
    directory['ada'] = { ...ADA, email: 'someone.else@other.example', email_verified: false }
    expect((await me((await signIn('ada')).session)).email).toBe(ADA.email)
    directory['ada'] = ADA
  })

  it('a sign-in is refused with the reason', async () => {
    directory['eve'] = { email: 'eve@evil.example', email_verified: true }
    expect((await signIn('eve')).reason).toBe('domain')
  })

  // covers FP-84
  it('makes a person with the default roles where the provider has an account for them, and follows the claim', async () => {
    const mapping = [
      { value: 'moderators', roles: ['WL_MODERATOR'] },
      { value: 'auditors', roles: ['AUDITOR'] },
    ]
    const over = {
      default_space_id: house,
      default_roles: ['WHITELABEL_ACCOUNTANT'],
      role_claim: 'groups',
      role_mapping: mapping,
    }
    expect((await change(realId, real, over)).code).toBe(0)
    directory['grace'] = { email: `grace@${DOMAIN}`, email_verified: true, given_name: 'Grace', family_name: 'Hopper' }
    const first = await me((await signIn('grace')).session)
    expect(first).toMatchObject({ first_name: 'Grace', roles: ['WHITELABEL_ACCOUNTANT'] })

    directory['grace'] = { ...directory['grace'], groups: ['auditors', 'others'] }
    expect(await me((await signIn('grace')).session)).toMatchObject({ id: first.id, roles: ['AUDITOR'] })
    // A person whom the claim names no more has the roles of a new one, unless roles stay.
    directory['grace'] = { ...directory['grace'], groups: ['others'] }
    expect((await me((await signIn('grace')).session)).roles).toEqual(['WHITELABEL_ACCOUNTANT'])
    directory['grace'] = { ...directory['grace'], groups: ['auditors'] }
    expect((await me((await signIn('grace')).session)).roles).toEqual(['AUDITOR'])
    expect((await change(realId, real, { ...over, roles_follow_claim: false })).code).toBe(0)
    directory['grace'] = { ...directory['grace'], groups: [] }
    expect((await me((await signIn('grace')).session)).roles).toEqual(['AUDITOR'])

    const { rows } = await product.database.pool.query<{ type: string }>(
      `select type from es.events where stream_id like 'account-%' and (data::jsonb ->> 'person_id') = $1 order by position`,
      [first.id],
    )
    expect(rows.map(({ type }) => type)).toEqual([
      'PersonInvited',
      'PersonJoined',
      ...Array<string>(3).fill('PersonRolesChanged'),
    ])
  })

  it('makes one person of sign-ins at once', async () => {
    directory['joan'] = { email: `joan@${DOMAIN}`, email_verified: true, name: 'Joan Clarke' }
    const starts = await Promise.all(Array.from({ length: 5 }, () => begin(realId)))
    const callbacks: string[] = []
    for (const { url } of starts) callbacks.push(await atProvider(url, 'joan'))
    const ends = await Promise.all(callbacks.map((callback, i) => finish(callback, starts[i]?.cookie ?? '')))
    expect(ends.map(({ reason }) => reason)).toEqual([null, null, null, null, null])
    const { rows } = await product.database.pool.query('select first_name, last_name from identity.people where email = $1', [
      `joan@${DOMAIN}`,
    ])
    expect(rows).toEqual([{ first_name: 'Joan', last_name: 'Clarke' }])
  })

  // covers FP-84
  it('a sign-in of a second subject does not take over a linked person, until an owner frees the link', async () => {
    const grace = await me((await signIn('grace')).session)
    directory['impostor'] = { email: `grace@${DOMAIN}`, email_verified: true, given_name: 'Grace', family_name: 'Two' }
    expect((await signIn('impostor')).reason).toBe('unverified')
    const freed = await owner.call('POST', `/v1/space/${house}/team/${grace.id}/free-sign-on`, {})
    expect(freed).toMatchObject({ code: 0, data: { approval_id: null } })
    expect(await me((await signIn('impostor')).session)).toMatchObject({ id: grace.id })
    expect((await signIn('grace')).reason).toBe('unverified')
    await owner.call('POST', `/v1/space/${house}/team/${grace.id}/free-sign-on`, {})
    expect(await me((await signIn('grace')).session)).toMatchObject({ id: grace.id })
  })

  // covers FP-84
  it('never takes the last owner by a claim', async () => {
    const { session } = await signIn('ada')
    const before = (await me(session)).roles
    expect(before).toContain('USER_OWNER')
    await change(realId, real, { role_claim: 'groups', role_mapping: [{ value: 'viewers', roles: ['USER_VIEWER'] }] })
    directory['ada'] = { ...ADA, groups: ['viewers'] }
    await product.database.pool.query(
      "update identity.people set deactivated = true where email <> $1 and 'USER_OWNER' = any(roles) and home_space_id = (select home_space_id from identity.people where email = $1)",
      [ADA.email],
    )
    expect((await me((await signIn('ada')).session)).roles).toEqual(before)
    directory['ada'] = ADA
  })

  // covers FP-84
  it('stands for the second factor that the white-label requires of staff', async () => {
    const required = (on: boolean) =>
      owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { second_factor_required: on } })
    const { session } = await signIn('grace')
    expect((await required(true)).code).toBe(0)
    try {
      const queue = (one: Session) => one.call('POST', '/v1/audit/feed', {})
      const clerk = await passwordGrant('auditor@dsp.example')
      const byPassword = sessionOf(product.base, clerk.data.access_token)
      await eventually(
        () => byPassword.call<{ second_factor_required?: boolean }>('GET', '/v1/audit/webhooks'),
        ({ data }) => data.second_factor_required === true,
      )
      expect((await queue(session ?? owner)).data).not.toHaveProperty('second_factor_required')
      expect((await (session ?? owner).call('GET', '/v1/audit/webhooks')).code).toBe(0)
      // The pages lead users to set one up who need it and have none: this session would never get away from there.
      const needs = async (one: Session) =>
        (await one.call<{ second_factor_required: boolean }>('GET', '/v1/user/me')).data.second_factor_required
      expect([await needs(session ?? owner), await needs(byPassword)]).toEqual([false, true])
    } finally {
      await admin.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { second_factor_required: false } })
    }
  })
})

describe('a proof that its user is still there', () => {
  // covers FP-83
  it('a proof of presence is a new sign-in at the provider, for sessions that began there', async () => {
    const { session, tokens } = await signIn('grace')
    if (session === null || tokens === null) throw new Error('the sign-in was refused')
    await product.database.pool.query(
      `update identity.session_families f set proved_at = now() - interval '6 minutes'
        from identity.sessions s where s.family = f.id and s.token_hash = $1`,
      [createHash('sha256').update(tokens.refresh_token).digest('hex')],
    )
    const revoke = (one: Session) =>
      one.call<{ step_up?: unknown }>('DELETE', '/v1/user/api-keys/01890000-0000-7000-8000-000000000000')
    const refused = await revoke(session)
    expect([refused.status, refused.data.step_up]).toEqual([
      401,
      { methods: ['sign_on'], sign_on: { id: realId, name: expect.any(String) } },
    ])
    const again = await signIn('grace')
    expect((await revoke(again.session ?? owner)).status).toBe(404)
    // The first session is as unproved as it was.
    expect((await revoke(session)).status).toBe(401)
  })

  it('a proof of presence is refused outside of the networks of staff', async () => {
    const networks = (staff_networks: readonly string[]) =>
      admin.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { staff_networks } })
    expect((await networks(['192.0.2.0/24'])).code).toBe(0)
    try {
      const { cookie, url } = await begin(realId)
      const { code } = await finish(await atProvider(url, 'grace'), cookie)
      expect(await redeem(code, cookie)).toMatchObject({ code: 3, data: { outside_networks: true } })
    } finally {
      expect((await networks([])).code).toBe(0)
    }
  })
})

describe('an answer that proves nothing', () => {
  beforeAll(async () => bind('forged.example', forgedId))
  const verified = { email: 'ada@forged.example', email_verified: true }

  it('passes where nothing is wrong with it', async () => {
    forged.token = (claims) => ({ ...claims, ...verified })
    expect(await forgedReason()).toBe('unknown')
  })

  it.each([
    ['a wrong nonce', { nonce: 'another' }],
    ['a wrong issuer', { iss: 'https://evil.example' }],
    ['a wrong audience', { aud: 'another-client' }],
    ['a token that has expired', { exp: 1_700_000_000, iat: 1_699_999_000 }],
    ['a token that was issued in the future', { exp: 4_000_000_600, iat: 4_000_000_000 }],
  ])('an answer that proves nothing is refused for %s', async (_, change) => {
    forged.token = (claims) => ({ ...claims, ...verified, ...change })
    expect(await forgedReason()).toBe('invalid')
  })

  it('an answer that proves nothing is refused for a signature by another key', async () => {
    forged.token = (claims) => ({ ...claims, ...verified })
    forged.key = 'other'
    expect(await forgedReason()).toBe('invalid')
  })

  it('an answer that proves nothing is refused before its code is exchanged, where it names another issuer or none', async () => {
    const before = forged.exchanged.length
    expect(await forgedReason({ iss: real.issuer })).toBe('invalid')
    expect(await forgedReason({ iss: '' })).toBe('invalid')
    expect(forged.exchanged).toHaveLength(before)
  })

  it('an answer that proves nothing is refused for another state, in another browser, and the second time', async () => {
    const { cookie, url } = await begin(forgedId)
    const other = await begin(forgedId)
    expect((await finish(forgedCallback(url, { state: 'x'.repeat(43) }), cookie)).reason).toBe('over')
    expect((await finish(forgedCallback(url), other.cookie)).reason).toBe('over')
    expect((await finish(forgedCallback(url), '')).reason).toBe('over')
    expect((await finish(forgedCallback(url), cookie)).reason).toBe('unverified')
    expect((await finish(forgedCallback(url), cookie)).reason).toBe('over')
  })

  it('an answer that proves nothing is refused after ten minutes', async () => {
    const { cookie, url } = await begin(forgedId)
    await product.database.pool.query("update identity.sign_on_attempts set expires_at = now() - interval '1 second'")
    expect((await finish(forgedCallback(url), cookie)).reason).toBe('over')
  })

  it('says that the person declined, and that the provider is away', async () => {
    const { cookie, url } = await begin(forgedId)
    const state = url.searchParams.get('state') ?? ''
    const query = new URLSearchParams({ error: 'access_denied', state, iss: forged.issuer })
    expect((await finish(`${product.base}/v1/oauth/sign-on/callback?${query}`, cookie)).reason).toBe('declined')
    const again = await begin(forgedId)
    forged.away = true
    expect((await finish(forgedCallback(again.url), again.cookie)).reason).toBe('away')
  })
})

describe('a provider that does not answer', () => {
  it('leads back to the sign-in page, which says so, and so does one that is unknown', async () => {
    const { data } = await owner.call<{ id: string }>('POST', `${BASE}/providers`, settingsFor('http://127.0.0.1:9'))
    expect((await begin(data.id)).url.pathname + (await begin(data.id)).url.search).toBe('/auth/login?sign_on=away')
    expect((await begin('unknown')).url.searchParams.get('sign_on')).toBe('unknown')
    expect((await owner.call('DELETE', `${BASE}/providers/${data.id}`)).code).toBe(0)
  })
})

describe('a code of a finished sign-in', () => {
  async function finished() {
    const { cookie, url } = await begin(realId)
    return { cookie, code: (await finish(await atProvider(url, 'ada'), cookie)).code }
  }

  // covers FP-84
  it('works once, in the browser that began', async () => {
    const { code, cookie } = await finished()
    const other = await begin(realId)
    expect((await redeem(code, other.cookie)).code).toBe(5)
    expect((await redeem(code, '')).code).toBe(5)
    expect((await redeem(code, cookie)).code).toBe(0)
    expect((await redeem(code, cookie)).code).toBe(5)
  })

  it('a code of a finished sign-in is exchanged for a refresh token in a cookie where the page asks for that', async () => {
    const { code, cookie } = await finished()
    const { data, headers } = await redeem(code, cookie, { 'x-placard-session': 'cookie' })
    expect(Object.keys(data).toSorted()).toEqual(['access_token', 'expires_in', 'space_id', 'to'])
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^placard-sign-on=; .*Max-Age=0/),
      expect.stringMatching(/^placard-refresh-\d+=[\w-]{43}; .*HttpOnly; SameSite=Strict$/),
    ])
  })

  it('lets one of 30 callbacks at once in, and one of 30 redemptions', async () => {
    const { cookie, url } = await begin(realId)
    const callback = await atProvider(url, 'ada')
    const ends = await Promise.all(Array.from({ length: 30 }, () => finish(callback, cookie)))
    const passed = ends.filter(({ reason }) => reason === null)
    expect(passed).toHaveLength(1)
    expect(new Set(ends.map(({ reason }) => reason))).toEqual(new Set([null, 'over']))
    const code = passed[0]?.code ?? ''
    const redeemed = await Promise.all(Array.from({ length: 30 }, () => redeem(code, cookie)))
    expect(redeemed.filter((answer) => answer.code === 0)).toHaveLength(1)
  })

  it('a code of a finished sign-in is in no query, and the cookie is kept from scripts and other sites', async () => {
    const response = await goTo(`${product.base}/v1/oauth/sign-on/start/${realId}`)
    expect(response.status).toBe(303)
    expect(response.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax$/)
    const to = new URL(locationOf(response, product.base)).searchParams
    expect(to.get('code_challenge_method')).toBe('S256')
    expect(to.get('redirect_uri')).toBe((await read()).callback_url)
  })

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'opens no page of another host: %s',
    async (to) => {
      const { cookie, url } = await begin(realId, to)
      const { code } = await finish(await atProvider(url, 'ada'), cookie)
      expect((await redeem(code, cookie)).data.to).toBe('/')
    },
  )
})

describe('the end of a session', () => {
  // covers FP-84
  it('leads to the end at the provider, once, with the token of the sign-in', async () => {
    const { tokens } = await signIn('ada')
    const end = async () => {
      const body = new URLSearchParams({ refresh_token: tokens?.refresh_token ?? '' })
      const response = await fetch(`${product.base}/v1/oauth/logout`, { method: 'POST', body })
      return ((await response.json()) as { data: { end_url: string | null } }).data.end_url
    }
    const url = new URL((await end()) ?? '')
    expect(url.origin).toBe(real.issuer)
    expect(url.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${product.base}/auth/login`)
    const { status } = await goTo(url.href)
    expect(status).toBe(200)
    expect(await end()).toBeNull()
    const { rows } = await product.database.pool.query('select sign_out from identity.sign_on_sessions')
    // Any three letters may stand in what is sealed.
    expect(JSON.stringify(rows)).not.toContain(url.searchParams.get('id_token_hint')?.slice(0, 40))
  })

  it('the end of a session by password leads nowhere else', async () => {
    const { data } = await passwordGrant(ADA.email)
    const body = new URLSearchParams({ refresh_token: data.refresh_token })
    const response = await fetch(`${product.base}/v1/oauth/logout`, { method: 'POST', body })
    expect(((await response.json()) as { data: unknown }).data).toEqual({ end_url: null })
  })
})

describe('a sign-out at the provider', () => {
  const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
  let sent = 0
  const seconds = (): number => Math.floor(Date.now() / 1000)
  const claims = (over: Readonly<Record<string, unknown>> = {}) => {
    sent += 1
    const now = seconds()
    return {
      iss: forged.issuer,
      aud: 'placard',
      iat: now,
      exp: now + 120,
      jti: `sign-out ${sent}`,
      events: { [EVENT]: {} },
      ...over,
    }
  }
  async function send(token: string) {
    const body = new URLSearchParams({ logout_token: token })
    const response = await fetch(`${product.base}/v1/oauth/sign-on/back-channel`, { method: 'POST', body })
    return { status: response.status, headers: response.headers, data: (await response.json()).data as { ended?: number } }
  }
  const sendClaims = async (over: Readonly<Record<string, unknown>> = {}) => send(await forged.sign(claims(over)))
  const works = async (session: Session | null): Promise<boolean> => (await session?.call('GET', '/v1/user/me'))?.status === 200
  const isOver = (session: Session | null) =>
    eventually(
      () => works(session),
      (working) => !working,
    )
  /** A session of a person of the forged provider, with its session there. */
  async function session(sub: string, sid?: string): Promise<Session> {
    forged.token = (all) => ({
      ...all,
      sub,
      email: `${sub}@sign-out.example`,
      email_verified: true,
      ...(sid === undefined ? {} : { sid }),
    })
    const { cookie, url } = await begin(forgedId)
    const { code, reason } = await finish(forgedCallback(url), cookie)
    expect(reason).toBeNull()
    return sessionOf(product.base, (await redeem(code, cookie)).data.access_token)
  }
  beforeAll(async () => {
    await change(forgedId, forged, { default_space_id: house, default_roles: ['AUDITOR'] })
    await bind('sign-out.example', forgedId)
  })
  afterAll(() => change(forgedId, forged))

  // covers FP-92
  it('ends the session that began with it within five seconds, and no other of the person', async () => {
    const jar: Jar = new Map()
    const [{ session: here }, { session: elsewhere }] = [await signIn('ada', jar), await signIn('ada')]
    // A second session of the same browser gives the hint: the first one goes on until the provider says that it ended.
    const { tokens: again } = await signIn('ada', jar)
    const body = new URLSearchParams({ refresh_token: again?.refresh_token ?? '' })
    const out = await fetch(`${product.base}/v1/oauth/logout`, { method: 'POST', body })
    const { end_url } = ((await out.json()) as { data: { end_url: string } }).data
    const page = await (await withJar(jar, end_url)).text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    expect(await works(here)).toBe(true)
    const form = new URLSearchParams({ xsrf, logout: 'yes' })
    await withJar(jar, `${real.issuer}/session/end/confirm`, { method: 'POST', body: form })
    await isOver(here)
    expect(await works(elsewhere)).toBe(true)
  })

  // covers FP-92
  it('a sign-out at the provider ends sessions by the session, the person, or both', async () => {
    const [one, two, other] = [await session('mo', 'a'), await session('mo', 'b'), await session('li', 'c')]
    const byAnother = await sendClaims({ sid: 'nowhere' })
    expect([byAnother.status, byAnother.data, byAnother.headers.get('cache-control')]).toEqual([200, { ended: 0 }, 'no-store'])
    expect((await sendClaims({ sub: 'mo', sid: 'a' })).data).toEqual({ ended: 1 })
    await isOver(one)
    expect([await works(two), await works(other)]).toEqual([true, true])
    expect((await sendClaims({ sub: 'mo' })).data).toEqual({ ended: 1 })
    await isOver(two)
    expect((await sendClaims({ sid: 'c' })).data).toEqual({ ended: 1 })
    await isOver(other)
    const { rows } = await product.database.pool.query(
      `select details from app.security_events where type = 'session-ended' and details ->> 'by' = 'provider' and details ->> 'provider' = $1`,
      [forgedId],
    )
    expect(rows).toHaveLength(3)
  })

  // covers FP-92
  it('a sign-out at the provider that names a session ends those of the person that named none, as before this version', async () => {
    const before = await session('mo')
    expect((await sendClaims({ sub: 'li', sid: 'x' })).data).toEqual({ ended: 0 })
    expect((await sendClaims({ sub: 'mo', sid: 'x' })).data).toEqual({ ended: 1 })
    await isOver(before)
  })

  it('reads the keys of the provider once for many tokens, also for those that prove nothing', async () => {
    await sendClaims({ sid: 'nowhere' })
    const before = forged.keysRead
    forged.key = 'other'
    const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await sendClaims({ sub: 'mo' })).status))
    expect(new Set(statuses)).toEqual(new Set([400]))
    expect(forged.keysRead).toBe(before)
  })

  // covers FP-92
  it('a sign-out at the provider that is sent again ends no session that began later', async () => {
    const later = await session('mo', 'd')
    expect((await sendClaims({ sub: 'mo', iat: seconds() - 100 })).data).toEqual({ ended: 0 })
    expect(await works(later)).toBe(true)
  })

  // covers FP-92
  it('a sign-out at the provider is refused for a wrong signature or kind of token, and while its provider is switched off', async () => {
    const going = await session('mo', 'f')
    forged.key = 'other'
    expect((await sendClaims({ sub: 'mo' })).status).toBe(400)
    forged.key = 'own'
    const [head, rest] = [{ alg: 'none' }, claims({ sub: 'mo' })].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    for (const token of [`${head}.${rest}.`, 'a.b.c', 'x'.repeat(16_000)]) expect((await send(token)).status).toBe(400)
    expect((await sendClaims({ sub: 'mo', iss: 'https://id.acme.example' })).status).toBe(400)
    expect((await sendClaims({ sub: 'mo', nonce: 'x' })).status).toBe(400)
    await change(forgedId, forged, { enabled: false })
    expect((await sendClaims({ sub: 'mo' })).status).toBe(400)
    await change(forgedId, forged, { default_space_id: house, default_roles: ['AUDITOR'] })
    expect(await works(going)).toBe(true)
  })
})

describe('a domain with passwords switched off', () => {
  const setPassword = (domain: string, password_allowed: boolean) =>
    owner.call('PUT', `${BASE}/domains/${domain}`, { provider_id: realId, password_allowed })
  beforeAll(async () => {
    await bind('dsp.example', realId)
    expect((await setPassword(DOMAIN, false)).code).toBe(0)
    expect((await setPassword('dsp.example', false)).code).toBe(0)
  })
  afterAll(async () => {
    await setPassword(DOMAIN, true)
    await setPassword('dsp.example', true)
  })

  // covers FP-84
  it('refuses every password of its people with 164 and the provider', async () => {
    const refusal = { status: 403, code: 164 }
    expect(await passwordGrant(ADA.email)).toMatchObject({ ...refusal, data: { sign_on: { id: realId, name: 'Acme' } } })
    expect(await passwordGrant(ADA.email, 'wrong')).toMatchObject(refusal)
    expect(await passwordGrant(`unknown@${DOMAIN}`)).toMatchObject(refusal)
    const anonymous = sessionOf(product.base, '')
    expect((await anonymous.call('GET', `/v1/oauth/sign-on?domain=${DOMAIN}`)).data).toMatchObject({ required: realId })
    expect((await anonymous.call('GET', '/v1/oauth/sign-on?domain=elsewhere.example')).data).toMatchObject({ required: null })
  })

  it('refuses a new password by mail and in the profile', async () => {
    const { session } = await signIn('ada')
    const body = { oldPassword: PASSWORD, newPassword: 'Another#Password#2026' }
    expect((await (session ?? owner).call('POST', '/v1/user/change-password', body)).code).toBe(164)
    expect((await sessionOf(product.base, '').call('POST', '/v1/user/reset-password/init', ADA.email)).code).toBe(164)
  })

  // covers FP-84
  it('leaves owners of the white-label and system administrators their password', async () => {
    expect((await passwordGrant('owner@dsp.example')).code).toBe(0)
    expect((await passwordGrant('admin@dsp.example')).code).toBe(0)
    expect((await passwordGrant('owner@dsp.example', 'wrong')).code).toBe(164)
    expect((await passwordGrant('auditor@dsp.example')).code).toBe(164)
  })

  it('mails a link for a new password to owners alone, with the same answer', async () => {
    const reset = (address: string) => sessionOf(product.base, '').call('POST', '/v1/user/reset-password/init', address)
    const asked = ['owner@dsp.example', 'auditor@dsp.example', ADA.email]
    for (const address of asked) expect((await reset(address)).code).toBe(164)
    const { rows } = await product.database.pool.query<{ address: string }>(
      "select address from app.mails where template = 'password-reset'",
    )
    expect(rows).toEqual([{ address: 'owner@dsp.example' }])
  })

  // covers FP-84
  it('takes passwords again while its provider is switched off', async () => {
    await change(realId, real, { enabled: false })
    expect((await passwordGrant(ADA.email)).code).toBe(0)
    expect((await begin(realId)).url.searchParams.get('sign_on')).toBe('unknown')
    await change(realId, real)
    expect((await passwordGrant(ADA.email)).code).toBe(164)
  })
})
