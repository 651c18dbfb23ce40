import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TeamMember } from '#contract/team'
import { eventually, PASSWORD, sessionOf, signIn, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { listen } from '../support/event-stream.ts'
import { keyIn, linkIn, mailTo, outboxOf, recipientOf } from '../support/mails.ts'

type Acted = { readonly member: TeamMember; readonly position: string }
type Team = { readonly people: readonly TeamMember[]; readonly roles: readonly string[] }

describe('the people of an account', () => {
  let product: TestProduct
  let ada: Session
  let space: string
  beforeAll(async () => {
    product = await startTestProduct()
    ada = await product.as('ada@nile.example')
    space = await homeOf(ada)
  })
  afterAll(() => product.stop())

  const homeOf = async (session: Session) =>
    (await session.call<{ home_space_id: string }>('GET', '/v1/user/me')).data.home_space_id
  const teamOf = async (session = ada, id = space) => (await session.call<Team>('GET', `/v1/space/${id}/team`)).data
  const invite = (email: string, over: object = {}, { by = ada, id = space } = {}) =>
    by.call<Acted>('POST', `/v1/space/${id}/team/invite`, {
      email,
      first_name: 'Nadia',
      last_name: 'Saleh',
      roles: ['ACCOUNTANT'],
      ...over,
    })
  const act = (person: string, what: string, body?: object, { by = ada, id = space } = {}) =>
    by.call<Acted>('POST', `/v1/space/${id}/team/${person}/${what}`, body)
  const complete = async (email: string, n = 1) => {
    const token = keyIn(await mailTo(product.dataDir, email, n))
    const response = await fetch(`${product.base}/v1/registration/complete`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, password: PASSWORD }),
    })
    const { type }: { type: { code: number } } = await response.json()
    return type.code
  }
  /** Invites a person who accepts and signs in. */
  async function colleague(email: string, over: object = {}, where: { by?: Session; id?: string } = {}) {
    const { data } = await invite(email, over, { by: where.by ?? ada, id: where.id ?? space })
    expect(await complete(email)).toBe(0)
    return { id: data.member.id, session: await signIn(product.base, email) }
  }
  const refusedSignIn = async (email: string) => {
    const body = new URLSearchParams({ grant_type: 'password', username: email, password: PASSWORD })
    return (await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })).status
  }

  // covers FP-77
  it('the people of an account are invited by mail, accept, and work by their role', async () => {
    const invited = await invite('  Nadia@Nile.example ')
    expect(invited).toMatchObject({
      code: 0,
      data: { member: { email: 'nadia@nile.example', state: 'invited', roles: ['ACCOUNTANT'] } },
    })
    expect(await refusedSignIn('nadia@nile.example')).toBe(401)
    const mail = await mailTo(product.dataDir, 'nadia@nile.example')
    expect(mail.subject).toContain('invited to')
    expect(linkIn(mail).pathname).toMatch(/^\/auth\/confirm-registration\//)
    expect(await complete('nadia@nile.example')).toBe(0)
    const { rows } = await product.database.pool.query<{ type: string; actor: string }>(
      `select type, metadata ->> 'actor' as actor from es.events
       where stream_id = $1 and type in ('PeopleRecorded', 'PersonInvited', 'PersonJoined') order by version limit 3`,
      [`account-${space}`],
    )
    const { data: me } = await ada.call<{ id: string }>('GET', '/v1/user/me')
    expect(rows).toEqual([
      { type: 'PeopleRecorded', actor: me.id },
      { type: 'PersonInvited', actor: me.id },
      { type: 'PersonJoined', actor: invited.data.member.id },
    ])
    const nadia = await signIn(product.base, 'nadia@nile.example')
    expect((await nadia.call('GET', `/v1/space/balance/${space}`)).code).toBe(0)
    expect((await nadia.call('POST', '/v1/campaign/list/v2', {})).code).toBe(3)
    const team = await teamOf()
    expect(team.people.map(({ email, state }) => [email, state])).toContainEqual(['nadia@nile.example', 'active'])
    expect(team.roles).toEqual(['ACCOUNTANT', 'USER_OWNER', 'USER_VIEWER'])
  })

  it.each([
    ['an address that is none', { email: 'nowhere' }, 2, 'email'],
    ['a role of staff', { roles: ['WL_MODERATOR'] }, 2, 'roles'],
    ['the address of someone of another account', { email: 'owner@dsp.example' }, 1400, 'email'],
  ])('the people of an account are not invited with %s', async (_, over, code, path) => {
    const before = (await outboxOf(product.dataDir)).length
    const answer = await invite('new@nile.example', over)
    expect(answer.code).toBe(code)
    expect(answer.data).toMatchObject({ errors: [{ path }] })
    expect((await outboxOf(product.dataDir)).length).toBe(before)
  })

  it('the people of an account are invited once, and again by a new link when the first was lost', async () => {
    const { data } = await invite('lina@nile.example')
    expect((await invite('lina@nile.example')).code).toBe(1400)
    expect((await act(data.member.id, 'resend')).code).toBe(0)
    await mailTo(product.dataDir, 'lina@nile.example', 2)
    expect(await complete('lina@nile.example', 2)).toBe(0)
    expect((await act(data.member.id, 'resend')).code).toBe(1401)
    expect((await invite('lina@nile.example')).code).toBe(1401)
  })

  it('the people of an account cannot come by an invitation that was taken back, until they are invited again', async () => {
    const { data } = await invite('omar@nile.example')
    await mailTo(product.dataDir, 'omar@nile.example')
    expect((await act(data.member.id, 'roles', { roles: ['USER_OWNER'] })).code).toBe(1402)
    expect((await act(data.member.id, 'deactivate')).code).toBe(1402)
    expect((await act(data.member.id, 'withdraw')).code).toBe(0)
    expect(await complete('omar@nile.example')).toBe(5)
    expect((await teamOf()).people.map(({ email }) => email)).not.toContain('omar@nile.example')
    expect((await act(data.member.id, 'withdraw')).code).toBe(6)
    const again = await invite('omar@nile.example', { first_name: 'Omar' })
    expect(again.data.member).toMatchObject({ id: data.member.id, first_name: 'Omar', state: 'invited' })
    expect(await complete('omar@nile.example', 2)).toBe(0)
  })

  // covers FP-77
  it('people of an account are out within 5 s once they are deactivated: sessions, keys and sign-in, and in once reactivated', async () => {
    const { id, session } = await colleague('sami@nile.example', { roles: ['USER_OWNER'] })
    const key = await session.call<{ key: string }>('POST', '/v1/user/api-keys', {
      name: 'Reports',
      scopes: ['read'],
      password: PASSWORD,
      days: 1,
    })
    expect(key.code).toBe(0)
    const byKey = sessionOf(product.base, key.data.key)
    expect((await byKey.call('POST', '/v1/campaign/list/v2', {})).status).toBe(200)
    expect((await act(id, 'deactivate')).data.member.state).toBe('deactivated')
    const ended = (of: Session) =>
      eventually(
        () => of.call('POST', '/v1/campaign/list/v2', {}),
        ({ status }) => status === 401,
      )
    expect((await ended(session)).status).toBe(401)
    expect((await ended(byKey)).status).toBe(401)
    expect(await refusedSignIn('sami@nile.example')).toBe(401)
    expect((await act(id, 'reactivate')).data.member.state).toBe('active')
    expect(await refusedSignIn('sami@nile.example')).toBe(200)
    expect((await ended(byKey)).status).toBe(401)
  })

  // covers FP-77
  it('the people of an account are signed out everywhere by an owner, from open streams too, and may sign in again', async () => {
    const { id, session } = await colleague('lost@nile.example', { roles: ['USER_OWNER'] })
    const key = await session.call<{ key: string }>('POST', '/v1/user/api-keys', {
      name: 'Reports',
      scopes: ['read'],
      password: PASSWORD,
      days: 1,
    })
    const stream = await listen(product.base, session)
    const others = await signIn(product.base, 'ada@nile.example')
    const done = await Promise.all(Array.from({ length: 30 }, () => act(id, 'sign-out')))
    expect(new Set(done.map(({ code }) => code))).toEqual(new Set([0]))
    for (const of of [session, sessionOf(product.base, key.data.key)])
      expect(
        (
          await eventually(
            () => of.call('POST', '/v1/campaign/list/v2', {}),
            ({ status }) => status === 401,
          )
        ).status,
      ).toBe(401)
    await stream.over
    expect(await refusedSignIn('lost@nile.example')).toBe(200)
    // Nothing changed about who belongs to the account, and the owner's own sessions stay.
    expect((await teamOf(others)).people.find((person) => person.id === id)?.state).toBe('active')
    const { data: me } = await ada.call<{ id: string }>('GET', '/v1/user/me')
    expect((await act(me.id, 'sign-out')).code).toBe(3)
    const { data: invited } = await invite('waits@nile.example')
    expect((await act(invited.member.id, 'sign-out')).code).toBe(1402)
    expect((await act('01890000-0000-7000-8000-000000000000', 'sign-out')).code).toBe(6)
  })

  it('the people of an account get other roles, and sign in again', async () => {
    const { id, session } = await colleague('hana@nile.example')
    expect((await act(id, 'roles', { roles: ['USER_OWNER'] })).data.member.roles).toEqual(['USER_OWNER'])
    await eventually(
      () => session.call('GET', '/v1/user/me'),
      ({ status }) => status === 401,
    )
    const again = await signIn(product.base, 'hana@nile.example')
    expect((await again.call('POST', '/v1/campaign/list/v2', {})).code).toBe(0)
  })

  // covers FP-77
  it('the people of an account hand their account over, and one of 30 at once wins', async () => {
    const owner = await product.as('owner@dsp.example')
    const fresh = await owner.call<{ space_id: string }>('POST', '/v1/whitelabel/admin/account/add', {
      email: 'first@volta.example',
      first_name: 'Kofi',
      last_name: 'Mensah',
      phone: '+233201234567',
      country: 'GH',
      company_name: 'Volta Foods',
      agree_with_tos: true,
    })
    const id = fresh.data.space_id
    expect(await complete('first@volta.example')).toBe(0)
    const first = await signIn(product.base, 'first@volta.example')
    const next = await colleague('second@volta.example', {}, { by: first, id })
    const all = await Promise.all(Array.from({ length: 30 }, () => act(next.id, 'hand-over', undefined, { by: first, id })))
    expect(all.filter(({ code }) => code === 0).length).toBeGreaterThan(0)
    const people = (await teamOf(owner, id)).people
    expect(people.map(({ email, roles }) => [email, roles])).toEqual([
      ['first@volta.example', ['ACCOUNTANT']],
      ['second@volta.example', ['USER_OWNER', 'ACCOUNTANT']],
    ])
    const { rows } = await product.database.pool.query<{ n: number }>(
      `select count(*)::int as n from es.events where stream_id = $1 and type = 'PersonRolesChanged'`,
      [`account-${id}`],
    )
    expect(rows[0]?.n).toBe(2)
  })

  it('the people of an account are one person when 30 invite them at once', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, () => invite('many@nile.example')))
    const codes = all.map(({ status, code }) => (status === 429 ? 429 : code))
    expect(codes.filter((code) => code === 0)).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set([0, 1400, 429].filter((code) => codes.includes(code))))
    expect((await teamOf()).people.filter(({ email }) => email === 'many@nile.example')).toHaveLength(1)
    const mails = (await outboxOf(product.dataDir)).filter((mail) => recipientOf(mail) === 'many@nile.example')
    expect(mails.length).toBeLessThan(2)
  })

  it('the people of an account are brought in line by the policy when a process ends between the event and the records', async () => {
    const { id, session } = await colleague('rami@nile.example')
    await act(id, 'deactivate')
    await product.database.pool.query(`update identity.people set deactivated = false where id = $1`, [id])
    await product.database.pool.query(
      `update identity.teams set revision = revision - 1, asked_at = now() - interval '1 minute' where space_id = $1`,
      [space],
    )
    const state = async () =>
      (await product.database.pool.query<{ deactivated: boolean }>(`select deactivated from identity.people where id = $1`, [id]))
        .rows[0]?.deactivated
    expect(await eventually(state, (out) => out === true)).toBe(true)
    expect((await session.call('GET', '/v1/user/me')).status).toBe(401)
  })

  it('the people of an account appear in the history of the account by name, and in the security events of who changed them', async () => {
    const owner = await product.as('owner@dsp.example')
    type Entry = { readonly type: string; readonly changes: readonly { readonly field: string; readonly to: unknown }[] }
    const { data } = await owner.call<{ readonly data: readonly Entry[] }>('GET', `/v1/space/${space}/history`)
    const changed = data.data.find(({ type }) => type === 'PersonRolesChanged')
    expect(changed?.changes).toEqual([
      { field: 'roles', from: ['ACCOUNTANT'], to: ['USER_OWNER'] },
      { field: 'person', from: null, to: 'Nadia Saleh' },
    ])
    const events = await owner.call<{ readonly type: string }[]>('GET', '/v1/audit/security?limit=200')
    expect(JSON.stringify(events.data)).toContain('people-changed')
  })

  it('the people of an account are no matter of other roles and white-labels', async () => {
    const others = ['moderator@dsp.example', 'accountant@dsp.example', 'auditor@dsp.example', 'clerk@nile.example']
    const { data: me } = await ada.call<{ id: string }>('GET', '/v1/user/me')
    const calls: readonly [string, object?][] = [
      ['resend'],
      ['withdraw'],
      ['roles', { roles: ['ACCOUNTANT'] }],
      ['deactivate'],
      ['reactivate'],
      ['sign-out'],
      ['reset-second-factor', { comment: 'Lost phone' }],
      ['hand-over'],
    ]
    for (const who of others) {
      const by = await product.as(who)
      for (const [what, body] of calls) expect((await act(me.id, what, body, { by, id: space })).code, `${who} ${what}`).toBe(3)
    }
    const bola = await product.as('bola@lagos.example')
    for (const [what, body] of calls) expect((await act(me.id, what, body, { by: bola, id: space })).code, what).toBe(110)
  })

  it('staff are invited by an owner, who sees and makes no system administrators', async () => {
    const owner = await product.as('owner@dsp.example')
    const id = await homeOf(owner)
    const team = await teamOf(owner, id)
    expect(team.roles).toEqual(['WL_OWNER', 'WL_MODERATOR', 'WHITELABEL_ACCOUNTANT', 'AUDITOR'])
    expect(team.people.flatMap(({ roles }) => roles)).not.toContain('SYSTEM_ADMIN')
    const staff = (role: string) => invite('mod2@dsp.example', { roles: [role] }, { by: owner, id })
    expect([(await staff('SYSTEM_ADMIN')).code, (await staff('WL_MODERATOR')).code]).toEqual([3, 0])
    expect(linkIn(await mailTo(product.dataDir, 'mod2@dsp.example')).pathname).toContain('confirm-registration')
    const admin = await product.as('admin@dsp.example')
    expect((await teamOf(admin, id)).people.flatMap(({ roles }) => roles)).toContain('SYSTEM_ADMIN')
  })
})
