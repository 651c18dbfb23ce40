import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import { createKysely, createPool } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { createScimTokens } from '#platform/scim/scim-tokens'
import { tablesWith } from '../support/database-search.ts'
import { sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

/** SCIM (fine print 85) over HTTP, with requests as directories send them. */

const DOMAIN = 'acme.example'
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const TOKENS = '/v1/whitelabel/dsp/sign-on/scim-tokens'

type Resource = {
  readonly id: string
  readonly userName: string
  readonly active: boolean
  readonly displayName: string
  readonly externalId?: string
  readonly groups: readonly { readonly value: string }[]
  readonly members: readonly { readonly value: string }[]
  readonly meta: { readonly location: string; readonly lastModified: string }
}
type Answer = Resource & {
  readonly status: number
  readonly type: string
  readonly location: string | null
  readonly scimType?: string
  readonly detail: string
  readonly totalResults: number
  readonly startIndex: number
  readonly itemsPerPage: number
  readonly Resources: readonly Resource[]
}

let product: TestProduct
let owner: Session
let token = ''
let foreign = ''

const query = async <T extends object>(text: string, values: readonly unknown[] = []) =>
  (await product.database.pool.query<T>(text, [...values])).rows

async function ask(method: string, path: string, body?: unknown, by = token): Promise<Answer> {
  const response = await fetch(`${product.base}/scim/v2${path}`, {
    method,
    headers: {
      ...(by === '' ? {} : { authorization: `Bearer ${by}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const sent = text === '' ? {} : JSON.parse(text)
  const { status, headers } = response
  return { ...sent, status, type: headers.get('content-type'), location: headers.get('location') }
}

let made = 0
const address = (name = `person${(made += 1)}`): string => `${name}@${DOMAIN}`
const userOf = (userName: string, over: object = {}) => ({
  schemas: [USER],
  userName,
  name: { givenName: 'Ada', familyName: 'Love' },
  emails: [{ value: userName, type: 'work', primary: true }],
  active: true,
  ...over,
})
const create = (userName = address(), over: object = {}) => ask('POST', '/Users', userOf(userName, over))
const patch = (path: string, ...Operations: readonly object[]) => ask('PATCH', path, { schemas: [PATCH], Operations })
const find = (filter: string, more = '') => ask('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`)
const membersOf = async (role: string) => (await ask('GET', `/Groups/${role}`)).members.map(({ value }) => value)

/** A session of a person, as a sign-in at their provider would begin one. */
async function sessionOfPerson(id: string): Promise<Session> {
  const password = 'Analytical#Engine#1843'
  const { createPeople } = await import('#platform/identity/people')
  await createPeople(createKysely(product.database.pool), { demo: true }).setPassword(id, password)
  const [person] = await query<{ email: string }>('select email from identity.people where id = $1', [id])
  const body = new URLSearchParams({ grant_type: 'password', username: person?.email ?? '', password })
  const answer = await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })
  const { data }: { data: { access_token: string } } = await answer.json()
  return sessionOf(product.base, data.access_token)
}

/** A verified domain without a provider that answers. */
async function domain(whitelabel: string, name: string): Promise<void> {
  await query(
    `insert into identity.sign_on_providers (id, whitelabel_id, name, issuer, client_id, scopes, trusts_addresses, default_roles, role_mapping,
       enabled, created_by, created_at, changed_at)
     values ($1, $2, 'Acme', 'https://id.example', 'placard', '{}', false, '{}', '[]', true, 'test', now(), now())`,
    [`provider ${whitelabel} ${name}`, whitelabel],
  )
  await query(
    `insert into identity.sign_on_domains (whitelabel_id, domain, provider_id, token, verified_at, password_allowed, created_at)
     values ($1, $2, $3, 'token', now(), true, now())`,
    [whitelabel, name, `provider ${whitelabel} ${name}`],
  )
}

beforeAll(async () => {
  product = await startTestProduct()
  owner = await product.as('owner@dsp.example')
  await domain('dsp', DOMAIN)
  token = (await owner.call<{ secret: string }>('POST', TOKENS)).data.secret
  const tokens = createScimTokens(createKysely(product.database.pool), () => new Date().toISOString(), newId)
  const admin = await product.as('admin@dsp.example')
  expect((await admin.call('POST', '/v1/whitelabel', { id: 'acme', name: 'Acme' })).code).toBe(0)
  await domain('acme', 'acme-ads.example')
  foreign = (await tokens.create('acme', 'test'))?.secret ?? ''
})
afterAll(() => product.stop())

describe('tokens', () => {
  type Listed = {
    readonly base_url: string
    readonly tokens: readonly { readonly id: string; readonly last_used_at: string | null }[]
  }
  const list = async (by = owner) => by.call<Listed>('GET', TOKENS)

  // covers FP-85
  it('SCIM tokens are shown once, stored as a hash, and listed with their latest use', async () => {
    expect(token).toMatch(/^placard_scim_[\w-]{43}$/)
    expect(await tablesWith(product.database.pool, token.slice(13))).toEqual([])
    const { data } = await list()
    expect(data.base_url).toBe(`${product.base}/scim/v2`)
    await ask('GET', '/Users')
    expect((await list()).data.tokens).toMatchObject([{ last_used_at: expect.stringMatching(/^20/) }])
    expect(JSON.stringify(data)).not.toContain('placard_scim_')
  })

  // covers FP-85
  it('SCIM tokens are two at most, however many are made at once, and are refused once they are withdrawn', async () => {
    const pool = createPool(product.database.url, { max: 4, applicationName: 'placard-test' })
    const tokens = createScimTokens(createKysely(pool), () => new Date().toISOString(), newId)
    await Promise.all([1, 2, 3, 4].map(() => pool.query('select pg_sleep(0.1)')))
    const others = (await Promise.all([1, 2, 3, 4].map(() => tokens.create('dsp', 'test')))).filter((one) => one !== null)
    await pool.end()
    expect(others).toHaveLength(1)
    expect((await owner.call('POST', TOKENS)).data.errors).toMatchObject([{ key: 'scim.tokens' }])
    const secret = others[0]?.secret ?? ''
    expect((await ask('GET', '/Users', undefined, secret)).status).toBe(200)
    expect((await owner.call('DELETE', `${TOKENS}/${others[0]?.id}`)).code).toBe(0)
    expect((await owner.call('DELETE', `${TOKENS}/${others[0]?.id}`)).code).toBe(131)
    await expect.poll(async () => (await ask('GET', '/Users', undefined, secret)).status).toBe(401)
  })

  it('SCIM tokens of another white-label do not exist, and owners alone have them', async () => {
    expect((await owner.call('GET', '/v1/whitelabel/acme/sign-on/scim-tokens')).code).toBe(170)
    expect((await owner.call('POST', '/v1/whitelabel/acme/sign-on/scim-tokens')).code).toBe(170)
    const [other] = await query<{ id: string }>("select id from identity.scim_tokens where whitelabel_id = 'acme'")
    expect((await owner.call('DELETE', `/v1/whitelabel/acme/sign-on/scim-tokens/${other?.id}`)).code).toBe(170)
    expect((await owner.call('DELETE', `${TOKENS}/${other?.id}`)).code).toBe(131)
    for (const who of ['moderator@dsp.example', 'auditor@dsp.example', 'ada@nile.example'])
      expect((await list(await product.as(who))).code).toBe(3)
  })

  it('changes of SCIM tokens are security events', async () => {
    const rows = await query<{ type: string }>("select type from app.security_events where details->>'kind' = 'scim' order by id")
    expect(rows.map(({ type }) => type)).toEqual(['credential-created', 'credential-revoked'])
  })
})

describe('every call', () => {
  const CALLS = ENDPOINTS.filter(({ access }) => access === 'directory')
  const pathOf = (path: string) => path.replace('/scim/v2', '').replace(':id', 'none')
  const askAll = async (by: string) => {
    const statuses = new Set<number>()
    for (const { method, path } of CALLS) {
      const answer = await ask(method, pathOf(path), method === 'GET' || method === 'DELETE' ? undefined : {}, by)
      expect(answer).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: answer.status })
      expect(answer.type).toMatch(/^application\/scim\+json/)
      statuses.add(answer.status)
    }
    return [...statuses]
  }

  // covers FP-85
  it('every SCIM call is refused without a token and with every other one', async () => {
    expect(CALLS.length).toBe(13)
    expect(await askAll('')).toEqual([401])
    expect(await askAll(`placard_scim_${'x'.repeat(43)}`)).toEqual([401])
    expect(await askAll(owner.token)).toEqual([403])
    expect(await askAll((await product.as('admin@dsp.example')).token)).toEqual([403])
    const key = await owner.call<{ key: string }>('POST', '/v1/user/api-keys', {
      name: 'CI',
      scopes: ['read', 'campaigns'],
      days: 1,
    })
    expect(await askAll(key.data.key)).toEqual([403])
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    const bidder = await owner.call<{ secret: string }>('POST', '/v1/service-credential', {
      name: 'B',
      kind: 'bidder',
      expires_at,
    })
    expect(await askAll(bidder.data.secret)).toEqual([403])
    const { readFile } = await import('node:fs/promises')
    expect(await askAll((await readFile(`${product.dataDir}/service-token`, 'utf8')).trim())).toEqual([403])
  })

  // covers FP-85
  it('every call but those of directories is refused to a directory', async () => {
    const others = ENDPOINTS.filter(({ access }) => access !== 'directory' && access !== 'public')
    expect(others.length).toBeGreaterThan(200)
    const wrong: string[] = []
    for (const { id, method, path } of others) {
      const { status } = await fetch(product.base + path.replaceAll(/:\w+|\*/g, 'none'), {
        method,
        headers: { authorization: `Bearer ${token}`, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
        ...(method === 'GET' ? {} : { body: '{}' }),
      })
      if (status !== 403) wrong.push(`${id}: ${status}`)
    }
    expect(wrong).toEqual([])
  })

  it('every SCIM call of another white-label finds no one of this one', async () => {
    const { id } = await create()
    expect((await ask('GET', `/Users/${id}`, undefined, foreign)).status).toBe(404)
    const off = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] }
    expect((await ask('PATCH', `/Users/${id}`, off, foreign)).status).toBe(404)
    expect((await ask('PUT', `/Users/${id}`, userOf(address()), foreign)).status).toBe(404)
    expect((await ask('DELETE', `/Users/${id}`, undefined, foreign)).status).toBe(404)
    expect((await ask('GET', '/Users', undefined, foreign)).totalResults).toBe(0)
    expect((await ask('POST', '/Users', userOf('ada@acme-ads.example'), foreign)).status).toBe(201)
    expect((await find('userName sw "ada@acme-ads"')).totalResults).toBe(0)
    expect((await ask('POST', '/Users', userOf(address()), foreign)).scimType).toBe('invalidValue')
    const add = { schemas: [PATCH], Operations: [{ op: 'add', path: 'members', value: [{ value: id }] }] }
    expect((await ask('PATCH', '/Groups/AUDITOR', add, foreign)).status).toBe(400)
    expect(await ask('GET', `/Users/${id}`)).toMatchObject({ status: 200, active: true })
  })

  it('every SCIM call is refused while the white-label is suspended', async () => {
    const admin = await product.as('admin@dsp.example')
    expect((await admin.call('POST', '/v1/whitelabel/acme/suspend', { reason: 'unpaid' })).code).toBe(0)
    await expect.poll(async () => (await ask('GET', '/Users', undefined, foreign)).status).toBe(401)
    expect((await admin.call('POST', '/v1/whitelabel/acme/restore', {})).code).toBe(0)
    await expect.poll(async () => (await ask('GET', '/Users', undefined, foreign)).status).toBe(200)
  })

  it('an unknown SCIM call answers in the shape of SCIM', async () => {
    for (const [method, path] of [
      ['GET', '/Nothing'],
      ['POST', '/Bulk'],
      ['DELETE', '/Groups/AUDITOR'],
    ] as const)
      expect(await ask(method, path)).toMatchObject({ status: 404, schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] })
  })

  it('refuses a body that is too large, too deep, or no JSON', async () => {
    expect((await ask('POST', '/Users', JSON.stringify(userOf(address(), { title: 'x'.repeat(300_000) })))).status).toBe(413)
    expect(await ask('POST', '/Users', '{"userName":')).toMatchObject({ status: 400, scimType: 'invalidSyntax' })
    expect((await ask('POST', '/Users', `{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`)).status).toBe(400)
    const Operations = Array.from({ length: 101 }, () => ({ op: 'add', path: 'title', value: 'x' }))
    expect((await ask('PATCH', '/Users/x', { Operations })).status).toBe(400)
  })
})

describe('discovery', () => {
  it('says what is supported', async () => {
    expect(await ask('GET', '/ServiceProviderConfig')).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: false },
      etag: { supported: false },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
    expect((await ask('GET', '/ResourceTypes')).Resources.map(({ id }) => id)).toEqual(['User', 'Group'])
    expect((await ask('GET', '/Schemas')).Resources.map(({ id }) => id)).toEqual([USER, USER.replace('User', 'Group')])
  })
})

describe('a user', () => {
  // covers FP-85
  it('a SCIM user is created without a password, and answered as RFC 7644 section 3.3 says', async () => {
    const userName = address('Bjensen').toLowerCase()
    const answer = await create(address('Bjensen'), {
      externalId: 'bjensen',
      name: { givenName: 'Barbara', familyName: 'Jensen' },
    })
    expect(answer).toMatchObject({
      status: 201,
      schemas: [USER],
      userName,
      externalId: 'bjensen',
      name: { givenName: 'Barbara', familyName: 'Jensen', formatted: 'Barbara Jensen' },
      active: true,
      groups: [{ value: 'WL_MODERATOR' }],
    })
    expect(answer.type).toMatch(/^application\/scim\+json/)
    expect(answer.location).toBe(`${product.base}/scim/v2/Users/${answer.id}`)
    expect(answer.meta.location).toBe(answer.location)
    const rows = await query('select password_hash, status_key, deactivated from identity.people where id = $1', [answer.id])
    expect(rows).toEqual([{ password_hash: null, status_key: 5, deactivated: false }])
    expect(await ask('GET', `/Users/${answer.id}`)).toMatchObject({ status: 200, userName })
    const events = await query<{ type: string }>(
      `select type from es.events where data::text like $1 and type like 'Person%' order by position`,
      [`%${answer.id}%`],
    )
    expect(events.map(({ type }) => type)).toEqual(['PersonInvited', 'PersonJoined'])
  })

  it('a SCIM user with a known address is refused, also where a person of another kind has it', async () => {
    const { userName } = await create()
    expect(await create(userName.toUpperCase())).toMatchObject({ status: 409, scimType: 'uniqueness' })
    await domain('dsp', 'nile.example')
    await domain('dsp', 'dsp.example')
    expect(await create('ada@nile.example')).toMatchObject({ status: 409, scimType: 'uniqueness' })
    expect(await create('admin@dsp.example')).toMatchObject({ status: 409, scimType: 'uniqueness' })
    expect(await create('owner@dsp.example')).toMatchObject({ status: 409, scimType: 'uniqueness' })
  })

  it('a SCIM user is refused outside the verified domains, and where the body says nothing right', async () => {
    for (const body of [
      userOf('eve@other.example'),
      { schemas: [USER] },
      userOf(address(), { name: { givenName: 'https://evil.example' } }),
    ])
      expect(await ask('POST', '/Users', body)).toMatchObject({ status: 400, scimType: 'invalidValue' })
  })

  it('a SCIM user is one person of 30 equal creations at once', async () => {
    const userName = address()
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(userName)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(new Set(statuses)).toEqual(new Set([201, 409]))
    expect(await query('select id from identity.people where email = $1', [userName])).toHaveLength(1)
    expect((await find(`userName eq "${userName}"`)).totalResults).toBe(1)
  })

  it('loses the session when a directory deactivates, and comes back', async () => {
    const { id } = await create()
    const session = await sessionOfPerson(id)
    expect((await session.call('GET', '/v1/user/me')).code).toBe(0)
    expect(await patch(`/Users/${id}`, { op: 'Replace', value: { active: 'False' } })).toMatchObject({
      status: 200,
      active: false,
    })
    await expect.poll(async () => (await session.call('GET', '/v1/user/me')).status).toBe(401)
    expect(await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })).toMatchObject({ active: true })
    expect((await (await sessionOfPerson(id)).call('GET', '/v1/user/me')).code).toBe(0)
  })

  // covers FP-85
  it('a SCIM user is changed by PUT and PATCH, and its address stays', async () => {
    const { id, userName, meta } = await create()
    const put = await ask(
      'PUT',
      `/Users/${id}`,
      userOf(userName, { name: { givenName: 'Augusta', familyName: 'King' }, externalId: 'x' }),
    )
    expect(put).toMatchObject({ status: 200, displayName: 'Augusta King', externalId: 'x' })
    expect(put.meta.lastModified > meta.lastModified).toBe(true)
    expect(await patch(`/Users/${id}`, { op: 'remove', path: 'externalId' })).not.toHaveProperty('externalId')
  })

  // covers FP-85
  it('a deleted SCIM user is gone, cannot sign in, and returns without the old roles when it is created again', async () => {
    const { id, userName } = await create()
    expect((await patch('/Groups/WL_OWNER', { op: 'add', path: 'members', value: [{ value: id }] })).status).toBe(200)
    const session = await sessionOfPerson(id)
    expect(await ask('DELETE', `/Users/${id}`)).toMatchObject({ status: 204 })
    await expect.poll(async () => (await session.call('GET', '/v1/user/me')).status).toBe(401)
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', userOf(userName)]] as const)
      expect((await ask(method, `/Users/${id}`, body)).status).toBe(404)
    expect((await find(`userName eq "${userName}"`)).totalResults).toBe(0)
    const again = await create(userName)
    expect(again).toMatchObject({ status: 201, id, active: true, groups: [{ value: 'WL_MODERATOR' }] })
    expect(again.groups).toHaveLength(1)
    expect((await create(userName)).status).toBe(409)
  })

  it('a SCIM user that an owner invited is found, and comes in when the directory activates it', async () => {
    const email = address()
    const [house] = await query<{ space_id: string }>("select space_id from rm_accounts where house and whitelabel_id = 'dsp'")
    const body = { email, first_name: 'Grace', last_name: 'Hopper', roles: ['AUDITOR'] }
    expect((await owner.call('POST', `/v1/space/${house?.space_id}/team/invite`, body)).code).toBe(0)
    const invited = (await find(`userName eq "${email}"`)).Resources[0]
    expect(invited).toMatchObject({ active: false, displayName: 'Grace Hopper' })
    expect((await patch('/Groups/WL_OWNER', { op: 'add', path: 'members', value: [{ value: invited?.id }] })).status).toBe(409)
    expect(await patch(`/Users/${invited?.id}`, { op: 'replace', path: 'active', value: true })).toMatchObject({ active: true })
  })

  // covers FP-85
  it('a SCIM user that is the last owner stays, and a system administrator is not seen', async () => {
    await domain('dsp', 'dsp.example').catch(() => undefined)
    const seen = (await find('userName ew "@dsp.example"')).Resources
    expect(seen.map(({ userName }) => userName)).toContain('owner@dsp.example')
    expect(seen.map(({ userName }) => userName)).not.toContain('admin@dsp.example')
    const id = seen.find(({ userName }) => userName === 'owner@dsp.example')?.id ?? ''
    for (const other of await membersOf('WL_OWNER')) if (other !== id) await ask('DELETE', `/Users/${other}`)
    for (const answer of [
      await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }),
      await ask('DELETE', `/Users/${id}`),
    ])
      expect(answer).toMatchObject({ status: 409, detail: 'The white-label must keep an active owner' })
    expect((await owner.call('GET', '/v1/user/me')).code).toBe(0)
    const [admin] = await query<{ id: string }>("select id from identity.people where email = 'admin@dsp.example'")
    expect((await ask('GET', `/Users/${admin?.id}`)).status).toBe(404)
    expect((await ask('DELETE', `/Users/${admin?.id}`)).status).toBe(404)
  })
})

describe('a list', () => {
  it('a SCIM list is filtered, in pages, with the attributes that are asked for', async () => {
    const names = await Promise.all(['zeta1', 'zeta2', 'zeta3'].map(async (name) => (await create(address(name))).userName))
    const all = await find('userName sw "ZETA" and active eq true')
    expect(all).toMatchObject({ status: 200, totalResults: 3, startIndex: 1, itemsPerPage: 3 })
    expect(all.Resources.map(({ userName }) => userName).toSorted()).toEqual(names)
    const pages = await Promise.all(
      [1, 2, 3, 4].map((start) => find('userName sw "zeta"', `&startIndex=${start}&count=1&sortBy=userName`)),
    )
    expect(pages.map(({ itemsPerPage }) => itemsPerPage)).toEqual([1, 1, 1, 0])
    expect(pages.flatMap(({ Resources }) => Resources.map(({ userName }) => userName)).toSorted()).toEqual(names)
    expect(await find('userName sw "zeta"', '&count=0')).toMatchObject({ totalResults: 3, Resources: [] })
    expect(await find('userName sw "zeta"', '&startIndex=-5&count=-1')).toMatchObject({ startIndex: 1, Resources: [] })
    const [one] = (await find(`userName eq "${names[0]}"`, '&attributes=userName')).Resources
    expect(Object.keys(one ?? {}).toSorted()).toEqual(['id', 'schemas', 'userName'])
  })

  it('refuses a filter that cannot be read', async () =>
    expect(await find('userName eq')).toMatchObject({ status: 400, scimType: 'invalidFilter' }))
})

describe('a group', () => {
  it('a SCIM group is a role of the staff, found by its name', async () => {
    expect((await ask('GET', '/Groups')).Resources.map(({ id }) => id)).toEqual([
      'WL_OWNER',
      'WL_MODERATOR',
      'WHITELABEL_ACCOUNTANT',
      'AUDITOR',
    ])
    const found = await ask('GET', `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "auditor"')}`)
    expect(found).toMatchObject({ totalResults: 1, Resources: [{ id: 'AUDITOR' }] })
    expect(found.Resources[0]).not.toHaveProperty('members')
    for (const id of ['SYSTEM_ADMIN', 'USER_OWNER', 'none']) expect((await ask('GET', `/Groups/${id}`)).status).toBe(404)
  })

  it('gives and takes its role, as Entra and Okta ask', async () => {
    const [a, b] = [await create(), await create()]
    await patch('/Groups/AUDITOR', { op: 'Add', path: 'members', value: [{ $ref: null, value: a.id }, { value: b.id }] })
    expect(await membersOf('AUDITOR')).toEqual(expect.arrayContaining([a.id, b.id]))
    expect((await ask('GET', `/Users/${a.id}`)).groups.map(({ value }) => value)).toEqual(['WL_MODERATOR', 'AUDITOR'])
    await patch('/Groups/WL_MODERATOR', { op: 'Remove', path: 'members', value: [{ $ref: null, value: a.id }] })
    await patch('/Groups/WL_MODERATOR', { op: 'remove', path: `members[value eq "${b.id}"]` })
    expect((await ask('GET', `/Users/${b.id}`)).groups.map(({ value }) => value)).toEqual(['AUDITOR'])
    const kept = (await membersOf('AUDITOR')).filter((id) => id !== b.id)
    const accountants = [...(await membersOf('WHITELABEL_ACCOUNTANT')), b.id].map((value) => ({ value }))
    await ask('PUT', '/Groups/WHITELABEL_ACCOUNTANT', { displayName: 'WHITELABEL_ACCOUNTANT', members: accountants })
    expect(
      await ask('PUT', '/Groups/AUDITOR', { displayName: 'AUDITOR', members: kept.map((value) => ({ value })) }),
    ).toMatchObject({ status: 200 })
    expect((await ask('GET', `/Users/${b.id}`)).groups.map(({ value }) => value)).toEqual(['WHITELABEL_ACCOUNTANT'])
  })

  it('a SCIM group that makes an owner who needs no second person is mailed to the other owners once', async () => {
    const { id } = await create()
    const { id: ownerId } = (await owner.call<{ id: string }>('GET', '/v1/user/me')).data
    const mailsTo = async (person: string) =>
      (await query(`select 1 from app.mails where template = 'keys-changed' and person_id = $1`, [person])).length
    const before = await mailsTo(ownerId)
    const add = { op: 'add', path: 'members', value: [{ value: id }] }
    await Promise.all(Array.from({ length: 5 }, () => patch('/Groups/WL_OWNER', add)))
    expect([await mailsTo(ownerId), await mailsTo(id)]).toEqual([before + 1, 0])
  })

  // covers FP-85
  it('keeps a member without another role, and changes nothing then', async () => {
    const [a, b] = [await create(), await create()]
    const answer = await patch(
      '/Groups/WL_MODERATOR',
      { op: 'remove', path: `members[value eq "${a.id}"]` },
      { op: 'add', path: 'members', value: [{ value: b.id }] },
    )
    expect(answer).toMatchObject({ status: 409, detail: expect.stringContaining('no other role') })
    expect((await ask('GET', `/Users/${a.id}`)).groups).toHaveLength(1)
    const unknown = await patch('/Groups/AUDITOR', { op: 'add', path: 'members', value: [{ value: b.id }, { value: 'unknown' }] })
    expect(unknown).toMatchObject({ status: 400, scimType: 'invalidValue' })
    expect((await ask('GET', `/Users/${b.id}`)).groups.map(({ value }) => value)).toEqual(['WL_MODERATOR'])
  })

  it('keeps every role of additions to several groups at once', async () => {
    const { id } = await create()
    const add = { op: 'add', path: 'members', value: [{ value: id }] }
    const answers = await Promise.all(
      ['WL_OWNER', 'WHITELABEL_ACCOUNTANT', 'AUDITOR'].map((role) => patch(`/Groups/${role}`, add)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await ask('GET', `/Users/${id}`)).groups).toHaveLength(4)
  })
})

// covers FP-85
it('changes by a directory are security events with the token and the person, and the log names the directory', async () => {
  const { id } = await create()
  await ask('DELETE', `/Users/${id}`)
  const rows = await query<{ details: object; whitelabel_id: string }>(
    "select details, whitelabel_id from app.security_events where type = 'people-changed' and details->>'person' = $1 order by id",
    [id],
  )
  const credential = expect.any(String)
  expect(rows).toEqual([
    { whitelabel_id: 'dsp', details: { call: 'scim.createUser', person: id, credential } },
    { whitelabel_id: 'dsp', details: { call: 'scim.deleteUser', person: id, credential } },
  ])
  const events = await query<{ actor: string }>(
    `select distinct metadata::jsonb->>'actor' as actor from es.events where data::text like $1 and type = 'PersonDeactivated'`,
    [`%${id}%`],
  )
  expect(events).toEqual([{ actor: 'system:scim' }])
})
