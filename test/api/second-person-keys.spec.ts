import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Approval } from '#contract/approvals'
import type { SignOnDomain } from '#contract/single-sign-on'
import type { TeamMember } from '#contract/team'
import { keyIn, mailTo, outboxOf, recipientOf } from '../support/mails.ts'
import { PASSWORD, sessionOf as anonymous, signIn, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { serveTxt } from '../support/txt-server.ts'

const DOMAIN = 'acme.example'
const BASE = '/v1/whitelabel/dsp/sign-on'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const PROVIDER = {
  name: 'Acme',
  issuer: 'https://id.example.org',
  client_id: 'placard',
  scopes: ['email'],
  trusts_addresses: false,
  default_space_id: null,
  default_roles: [],
  role_claim: 'groups',
  role_mapping: [{ value: 'own', roles: ['WL_OWNER'] }],
  enabled: true,
}

type Resource = { readonly id: string; readonly status: number; readonly groups: readonly { readonly value: string }[] }
type Member = { readonly value: string }
type Waiting = { readonly id: string; readonly approval_id: string | null }

/** Fine print 87: directories and identity providers, where a white-label wants a second person for roles. */
describe('keys for those who hold the keys', () => {
  let product: TestProduct
  let owner: Session
  let second: Session
  let house = ''
  let token = ''
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_SIGN_ON_PRIVATE: 'true' })
    owner = await product.as('owner@dsp.example')
    house = (await owner.call<{ home_space_id: string }>('GET', '/v1/user/me')).data.home_space_id
    const invitee = { email: 'second@dsp.example', first_name: 'Ines', last_name: 'Duarte', roles: ['WL_OWNER'] }
    await owner.call('POST', `/v1/space/${house}/team/invite`, invitee)
    const body = JSON.stringify({ token: keyIn(await mailTo(product.dataDir, invitee.email)), password: PASSWORD })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${product.base}/v1/registration/complete`, { method: 'POST', headers, body })
    second = await signIn(product.base, invitee.email)
    // Set up before the rule: the owner's provider, with a domain that is verified.
    const { data } = await owner.call<Waiting>('POST', `${BASE}/providers`, { ...PROVIDER, role_mapping: [] })
    await owner.call('POST', `${BASE}/domains`, { domain: DOMAIN, provider_id: data.id })
    await product.database.pool.query('update identity.sign_on_domains set verified_at = now()')
    await owner.call('POST', `${BASE}/domains`, { domain: 'early.example', provider_id: data.id })
    token = (await owner.call<{ secret: string }>('POST', `${BASE}/scim-tokens`)).data.secret
    expect((await rule(true)).code).toBe(0)
  })
  afterAll(() => product.stop())
  afterEach(async () => {
    for (const { id } of await waiting()) await decide(second, id, 'reject')
  })

  const rule = (on: boolean) =>
    owner.call<Waiting>('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { second_person_for_roles: on } })
  const decide = (by: Session, id: string | null, how: 'confirm' | 'reject' = 'confirm') =>
    by.call('POST', `/v1/approvals/${id ?? '-'}/${how}`, {})
  const listed = async (by: Session, state: string) =>
    (await by.call<{ approvals: readonly Approval[] }>('GET', `/v1/approvals?state=${state}`)).data.approvals
  const waiting = (by = second) => listed(by, 'waiting')
  const scim = async <T = Resource>(method: string, path: string, body?: object, by = token): Promise<T & Resource> => {
    const headers = { authorization: `Bearer ${by}`, 'content-type': 'application/scim+json' }
    const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const response = await fetch(`${product.base}/scim/v2${path}`, sent)
    const text = await response.text()
    return { ...(text === '' ? {} : JSON.parse(text)), status: response.status }
  }
  const create = (userName: string) =>
    scim('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      name: { givenName: 'Pia', familyName: 'Puppe' },
      active: true,
    })
  const give = (role: string, id: string, op = 'add') =>
    scim<{ readonly members: readonly Member[] }>('PATCH', `/Groups/${role}`, {
      schemas: [PATCH],
      Operations: [op === 'add' ? { op, path: 'members', value: [{ value: id }] } : { op, path: `members[value eq "${id}"]` }],
    })
  const staff = async () => (await owner.call<{ people: readonly TeamMember[] }>('GET', `/v1/space/${house}/team`)).data.people
  const memberOf = async (id: string) => (await staff()).find((one) => one.id === id)
  /** A session of a person, as a sign-in at their provider would begin one. */
  async function sessionOf(id: string, email: string): Promise<Session> {
    const { createPeople } = await import('#platform/identity/people')
    const { createKysely } = await import('#platform/database/pool')
    await createPeople(createKysely(product.database.pool), { demo: true }).setPassword(id, PASSWORD)
    return signIn(product.base, email)
  }
  const askForPassword = (email: string) => anonymous(product.base, '').call('POST', '/v1/user/reset-password/init', email)

  // covers FP-85 FP-87
  it('a directory gives the role of an owner once another owner than who made its token confirms it', async () => {
    const { id, status } = await create(`pia@${DOMAIN}`)
    expect(status).toBe(201)
    const given = await Promise.all(Array.from({ length: 5 }, () => give('WL_OWNER', id)))
    expect(given.map((one) => one.status)).toEqual([200, 200, 200, 200, 200])
    expect(given[0]?.members.map(({ value }) => value)).not.toContain(id)
    expect((await memberOf(id))?.roles).toEqual(['WL_MODERATOR'])
    const found = await waiting()
    expect(found).toMatchObject([
      { kind: 'confirming_roles', person: 'Pia Puppe', roles: ['WL_OWNER'], may_decide: true, by: 'System' },
    ])
    const approval = found[0]?.id ?? ''
    expect(await waiting(owner)).toMatchObject([{ id: approval, may_decide: false }])
    expect((await decide(owner, approval)).code).toBe(3)
    await askForPassword(`pia@${DOMAIN}`)
    expect((await decide(second, approval)).code).toBe(0)
    expect([...((await memberOf(id))?.roles ?? [])].sort()).toEqual(['WL_MODERATOR', 'WL_OWNER'])

    // The link for a password goes out once the role is confirmed, and not before.
    await askForPassword(`pia@${DOMAIN}`)
    const key = keyIn(await mailTo(product.dataDir, `pia@${DOMAIN}`, 1, 'password'))
    const sent = (await outboxOf(product.dataDir)).filter((mail) => recipientOf(mail) === `pia@${DOMAIN}`)
    expect(sent.filter(({ subject = '' }) => subject.includes('password'))).toHaveLength(1)
    const body = { key, newPassword: 'Analytical#Engine#1843' }
    expect((await anonymous(product.base, '').call('POST', '/v1/user/reset-password/finish', body)).code).toBe(0)
  })

  // covers FP-85
  it('the password of an owner whom a directory made ends with the role', async () => {
    const email = `pia@${DOMAIN}`
    const id = (await staff()).find((one) => one.email === email)?.id ?? ''
    const password = { grant_type: 'password', username: email, password: 'Analytical#Engine#1843' }
    const enter = async () =>
      (await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(password) })).status
    expect(await enter()).toBe(200)
    expect((await give('WL_OWNER', id, 'remove')).status).toBe(200)
    expect(await enter()).toBe(401)
    // With the role, a second person confirms it again, and the old password stays gone.
    await give('WL_OWNER', id)
    expect((await decide(second, (await waiting())[0]?.id ?? '')).code).toBe(0)
    expect(await enter()).toBe(401)
  })

  it('a rejected role is not asked for again by a repeat, and one that the directory took back is withdrawn', async () => {
    const { id } = await create(`rob@${DOMAIN}`)
    await give('WL_OWNER', id)
    await give('WL_OWNER', id, 'remove')
    expect(await waiting()).toEqual([])
    await give('WL_OWNER', id)
    const [one] = await waiting()
    expect((await decide(second, one?.id ?? '', 'reject')).code).toBe(0)
    expect((await give('WL_OWNER', id)).status).toBe(200)
    expect(await waiting()).toEqual([])
    expect((await memberOf(id))?.roles).toEqual(['WL_MODERATOR'])
  })

  it('the role of an owner by a token that was withdrawn since is closed, and a confirmation on its way is refused with 3', async () => {
    // The tokens of before and after a change of tokens, which waits as all do.
    const other = (await owner.call<Waiting & { secret: string }>('POST', `${BASE}/scim-tokens`)).data
    expect((await decide(second, other.approval_id)).code).toBe(0)
    const { id } = await create(`wim@${DOMAIN}`)
    const giveBy = (by: string) =>
      scim(
        'PATCH',
        '/Groups/WL_OWNER',
        { schemas: [PATCH], Operations: [{ op: 'add', path: 'members', value: [{ value: id }] }] },
        by,
      )
    await giveBy(other.secret)
    const [first] = await waiting()
    expect((await owner.call('DELETE', `${BASE}/scim-tokens/${other.id}`)).code).toBe(0)
    expect(await waiting()).toEqual([])
    expect((await decide(second, first?.id ?? '')).code).toBe(134)
    // The token that is left asks for it again. It is withdrawn elsewhere while the confirmation is on its way.
    await giveBy(token)
    const [again] = await waiting()
    const { rows } = await product.database.pool.query('delete from identity.scim_tokens returning *')
    expect((await decide(second, again?.id ?? '')).code).toBe(3)
    expect((await listed(second, 'decided')).find((one) => one.id === again?.id)).toMatchObject({ state: 'failed' })
    expect((await memberOf(id))?.roles).toEqual(['WL_MODERATOR'])
    for (const row of rows)
      await product.database.pool.query(
        'insert into identity.scim_tokens select * from json_populate_record(null::identity.scim_tokens, $1)',
        [JSON.stringify(row)],
      )
  })

  it('a directory lets a deactivated owner in again without that role', async () => {
    const { id } = await create(`dora@${DOMAIN}`)
    await give('WL_OWNER', id)
    expect((await decide(second, (await waiting())[0]?.id ?? '')).code).toBe(0)
    const active = (value: boolean) =>
      scim('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value }] })
    expect((await active(false)).status).toBe(200)
    expect((await active(true)).status).toBe(200)
    expect(await memberOf(id)).toMatchObject({ state: 'active', roles: ['WL_MODERATOR'] })
    expect(await waiting()).toMatchObject([{ kind: 'confirming_roles', roles: ['WL_OWNER'] }])
  })

  // covers FP-87
  it('a person of a directory and who made its token confirm nothing for each other', async () => {
    const { id } = await create(`una@${DOMAIN}`)
    await give('WL_OWNER', id)
    expect((await decide(second, (await waiting())[0]?.id ?? '')).code).toBe(0)
    const puppet = await sessionOf(id, `una@${DOMAIN}`)
    const invite = (by: Session, email: string) =>
      by.call<Waiting>('POST', `/v1/space/${house}/team/invite`, {
        email,
        first_name: 'Ivo',
        last_name: 'Lang',
        roles: ['AUDITOR'],
      })
    const byOwner = (await invite(owner, 'ivo@dsp.example')).data.approval_id
    expect((await waiting(puppet)).find((one) => one.id === byOwner)).toMatchObject({ may_decide: false })
    expect((await decide(puppet, byOwner)).code).toBe(3)
    const byPuppet = (await invite(puppet, 'eva@dsp.example')).data.approval_id
    expect((await decide(owner, byPuppet)).code).toBe(3)
    expect((await decide(second, byOwner)).code).toBe(0)
    expect((await decide(second, byPuppet)).code).toBe(0)
  })

  // covers FP-84 FP-87
  it('a new provider is switched off until another owner confirms what it may do, and so is more of it later', async () => {
    const added = await owner.call<Waiting>('POST', `${BASE}/providers`, PROVIDER)
    expect(added.data.approval_id).toEqual(expect.any(String))
    type Read = { readonly providers: readonly (Record<string, unknown> & { readonly id: string })[] }
    const read = async () => (await owner.call<Read>('GET', BASE)).data.providers.find(({ id }) => id === added.data.id)
    expect(await read()).toMatchObject({ enabled: false, role_claim: null, role_mapping: [] })
    const [one] = await waiting()
    expect(one).toMatchObject({ kind: 'sign_on_provider', subject: 'Acme (https://id.example.org)' })
    expect(one?.changes).toContainEqual({ field: 'role_mapping', from: '', to: 'own = WL_OWNER' })
    expect((await decide(owner, added.data.approval_id)).code).toBe(3)
    expect((await decide(second, added.data.approval_id)).code).toBe(0)
    expect(await read()).toMatchObject({ enabled: true, role_claim: 'groups', role_mapping: PROVIDER.role_mapping })

    const change = (over: object) => owner.call<Waiting>('PUT', `${BASE}/providers/${added.data.id}`, { ...PROVIDER, ...over })
    const wider = { role_mapping: [...PROVIDER.role_mapping, { value: 'all', roles: ['AUDITOR'] }], name: 'Acme Two' }
    const asked = await change(wider)
    expect(await read()).toMatchObject({ name: 'Acme Two', role_mapping: PROVIDER.role_mapping })
    expect((await change(wider)).data.approval_id).toBe(asked.data.approval_id)
    expect((await change({ role_mapping: [], enabled: false })).data.approval_id).toBeNull()
    expect(await read()).toMatchObject({ role_mapping: [], enabled: false })
    expect((await change({ role_mapping: [], enabled: true })).data.approval_id).toEqual(expect.any(String))
    expect((await change({ role_mapping: [], enabled: false, trusts_addresses: true })).data.approval_id).toEqual(
      expect.any(String),
    )
    expect((await change({ role_mapping: [], enabled: false, roles_follow_claim: false })).data.approval_id).toEqual(
      expect.any(String),
    )
  })

  it('a new mail domain is verified once another owner confirmed it, and a new token of a directory opens nothing before', async () => {
    const { id: provider_id } = (await owner.call<{ providers: readonly Waiting[] }>('GET', BASE)).data.providers[0] ?? { id: '' }
    const domain = await owner.call<Waiting & { readonly domain: { readonly waits: boolean } }>('POST', `${BASE}/domains`, {
      domain: 'other.example',
      provider_id,
    })
    expect(domain.data).toMatchObject({ domain: { waits: true }, approval_id: expect.any(String) })
    expect((await owner.call('POST', `${BASE}/domains/other.example/verify`, {})).data).toMatchObject({ verified: false })
    expect((await decide(second, domain.data.approval_id)).code).toBe(0)
    const { domains } = (await owner.call<{ domains: readonly { domain: string; waits: boolean }[] }>('GET', BASE)).data
    expect(domains.find((one) => one.domain === 'other.example')).toMatchObject({ waits: false })

    const made = await owner.call<Waiting & { readonly secret: string }>('POST', `${BASE}/scim-tokens`)
    expect((await scim('GET', '/Users', undefined, made.data.secret)).status).toBe(401)
    expect((await decide(second, made.data.approval_id)).code).toBe(0)
    expect((await scim('GET', '/Users', undefined, made.data.secret)).status).toBe(200)
  })

  // covers FP-84
  it('a mail domain that was added before the rule is not verified by one person alone after it', async () => {
    const { domains } = (await owner.call<{ domains: readonly SignOnDomain[] }>('GET', BASE)).data
    // The owner's own name servers answer.
    const txt = await serveTxt({ 'early.example': domains.find((one) => one.domain === 'early.example')?.record ?? '' })
    onTestFinished(() => txt.stop())
    const verify = async () =>
      (await owner.call<Waiting & { verified: boolean }>('POST', `${BASE}/domains/early.example/verify`, {})).data
    const asked = await verify()
    expect(asked).toMatchObject({ verified: false, approval_id: expect.any(String) })
    expect(await verify()).toMatchObject({ verified: false, approval_id: asked.approval_id })
    expect((await decide(owner, asked.approval_id)).code).toBe(3)
    expect((await decide(second, asked.approval_id)).code).toBe(0)
    expect(await verify()).toMatchObject({ verified: true, approval_id: null })
  })

  it('the link of an owner is freed once another owner confirms it, and that of others at once', async () => {
    const { id: provider } = (await owner.call<{ providers: readonly Waiting[] }>('GET', BASE)).data.providers[0] ?? { id: '' }
    const link = (person: string) =>
      product.database.pool.query('insert into identity.sign_on_links values ($1, $2, $3, now())', [
        provider,
        `s ${person}`,
        person,
      ])
    const free = (person: string) =>
      owner.call<{ member: TeamMember; approval_id: string | null }>('POST', `/v1/space/${house}/team/${person}/free-sign-on`, {})
    const people = await staff()
    const moderator = people.find(({ email }) => email === 'moderator@dsp.example')?.id ?? ''
    const other = people.find(({ email }) => email === `una@${DOMAIN}`)?.id ?? ''
    expect((await free(moderator)).code).toBe(2)
    for (const email of ['moderator@dsp.example', 'auditor@dsp.example', 'accountant@dsp.example', 'ada@nile.example'])
      expect((await (await product.as(email)).call('POST', `/v1/space/${house}/team/${other}/free-sign-on`, {})).code).not.toBe(0)
    await link(moderator)
    expect((await memberOf(moderator))?.sign_on).toBe(true)
    expect((await free(moderator)).data).toMatchObject({ approval_id: null, member: { sign_on: false } })
    await link(other)
    const asked = await free(other)
    expect(asked.data).toMatchObject({ approval_id: expect.any(String), member: { sign_on: true } })
    expect((await decide(second, asked.data.approval_id)).code).toBe(0)
    expect((await memberOf(other))?.sign_on).toBe(false)
  })

  // covers FP-87
  it('a request of a user who lost the right since is closed as failed', async () => {
    const una = (await staff()).find(({ email }) => email === `una@${DOMAIN}`)?.id ?? ''
    const puppet = await sessionOf(una, `una@${DOMAIN}`)
    const asked = await puppet.call<Waiting>('POST', `/v1/space/${house}/team/invite`, {
      email: 'late@dsp.example',
      first_name: 'Lea',
      last_name: 'Late',
      roles: ['WL_OWNER'],
    })
    expect((await second.call('POST', `/v1/space/${house}/team/${una}/roles`, { roles: ['WL_MODERATOR'] })).code).toBe(0)
    expect((await decide(second, asked.data.approval_id)).code).toBe(3)
    expect((await listed(second, 'decided')).find(({ id }) => id === asked.data.approval_id)).toMatchObject({ state: 'failed' })
    expect((await staff()).some(({ email }) => email === 'late@dsp.example')).toBe(false)
  })
})
