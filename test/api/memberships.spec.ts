import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { User } from '#contract/session'
import type { TeamMember } from '#contract/team'
import { eventually, PASSWORD, sessionOf, signIn, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { listen } from '../support/event-stream.ts'
import { keyIn, linkIn, mailTo } from '../support/mails.ts'

type Team = { readonly people: readonly TeamMember[] }
type Invitations = { readonly invitations: readonly { space_id: string; account: string; by: string | null }[] }
type Tokens = { readonly access_token: string; readonly refresh_token: string; readonly space_id: string }

const CAMPAIGNS = ['POST', '/v1/campaign/list/v2', {}] as const

describe('people of several accounts', () => {
  let product: TestProduct
  let ada: Session
  let nile: string
  let lagos: string
  beforeAll(async () => {
    product = await startTestProduct()
    ada = await product.as('ada@nile.example')
    nile = (await me(ada)).home_space_id
    lagos = (await me(await product.as('bola@lagos.example'))).home_space_id
  })
  afterAll(() => product.stop())

  const me = async (session: Session) => (await session.call<User>('GET', '/v1/user/me')).data
  const query = async <T extends object>(text: string, values: readonly unknown[] = []) =>
    (await product.database.pool.query<T>(text, [...values])).rows
  const invite = (email: string, roles: readonly string[], { by = ada, id = nile } = {}) =>
    by.call<{ member: TeamMember }>('POST', `/v1/space/${id}/team/invite`, {
      email,
      first_name: 'Typed',
      last_name: 'Name',
      roles,
    })
  const act = (person: string, what: string, body?: object, { by = ada, id = nile } = {}) =>
    by.call<{ member: TeamMember }>('POST', `/v1/space/${id}/team/${person}/${what}`, body)
  const open = async (session: Session) => (await session.call<Invitations>('GET', '/v1/user/invitations')).data.invitations
  const accept = (session: Session, id = nile) => session.call<{ space_id: string }>('POST', `/v1/user/invitations/${id}/accept`)
  const memberIn = async (id: string, of = nile, by = ada) =>
    (await by.call<Team>('GET', `/v1/space/${of}/team`)).data.people.find((person) => person.id === id)
  const tokens = async (email: string): Promise<Tokens> => {
    const body = new URLSearchParams({ grant_type: 'password', username: email, password: PASSWORD })
    const response = await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })
    expect(response.status).toBe(200)
    return ((await response.json()) as { data: Tokens }).data
  }
  const refresh = async (token: string) => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token })
    const response = await fetch(`${product.base}/v1/oauth/refresh`, { method: 'POST', body })
    return (await response.json()) as { type: { code: number }; data: Tokens }
  }
  const refused = (session: Session) =>
    eventually(
      () => session.call(...CAMPAIGNS),
      ({ status }) => status === 401,
    )
  const switchTo = async (session: Session, id: string) => {
    const switched = await session.call<Tokens>('POST', `/v1/user/account/switch/${id}`, {})
    return { ...switched, session: sessionOf(product.base, switched.data?.access_token ?? '') }
  }
  const keyOf = async (session: Session) => {
    const made = await session.call<{ key: string }>('POST', '/v1/user/api-keys', {
      name: 'Reports',
      scopes: ['read'],
      password: PASSWORD,
      days: 1,
    })
    expect(made.code).toBe(0)
    return sessionOf(product.base, made.data.key)
  }

  /** A user whose home is Lagos; owners there but for other roles. */
  async function guest(name: string, roles: readonly string[] = ['USER_OWNER']) {
    const email = `${name}@lagos.example`
    const bola = await product.as('bola@lagos.example')
    const { data } = await invite(email, roles, { by: bola, id: lagos })
    const response = await fetch(`${product.base}/v1/registration/complete`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: keyIn(await mailTo(product.dataDir, email)), password: PASSWORD }),
    })
    expect(response.status).toBe(200)
    return { id: data.member.id, email, session: await signIn(product.base, email) }
  }
  /** The same, who joined Nile too. */
  async function colleague(name: string, roles: readonly string[] = ['USER_VIEWER']) {
    const person = await guest(name)
    expect((await invite(person.email, roles)).code).toBe(0)
    expect((await accept(person.session)).code).toBe(0)
    return person
  }

  // covers FP-93
  it('people of several accounts are invited by a mail without a secret, which shows the account alone, and accept signed in', async () => {
    const femi = await guest('femi')
    const invited = await invite(femi.email, ['USER_VIEWER'])
    // Nothing that the inviter did not enter.
    expect(invited).toMatchObject({
      code: 0,
      data: {
        member: { first_name: 'Typed', last_name: 'Name', state: 'invited', second_factor: false, last_seen_at: null },
      },
    })
    const mail = await mailTo(product.dataDir, femi.email, 2)
    expect(mail.subject).toContain('invited to')
    expect(linkIn(mail).pathname).toBe('/invitations')
    const account = (await me(ada)).space_name
    expect(await open(femi.session)).toEqual([{ space_id: nile, account, by: 'Ada Hassan', until: expect.any(String) }])
    expect((await me(femi.session)).accounts.map(({ space_id }) => space_id)).toEqual([lagos])
    expect((await switchTo(femi.session, nile)).code).toBe(6)
    expect((await femi.session.call('GET', `/v1/space/${nile}/team`)).code).toBe(110)

    expect((await accept(femi.session)).code).toBe(0)
    expect(await open(femi.session)).toEqual([])
    expect((await me(femi.session)).accounts).toEqual([
      { space_id: lagos, space_name: expect.any(String), home: true, roles: ['USER_OWNER'] },
      { space_id: nile, space_name: account, home: false, roles: ['USER_VIEWER'] },
    ])
    expect(await memberIn(femi.id)).toMatchObject({ state: 'active', email: femi.email, roles: ['USER_VIEWER'] })
    const events = await query<{ type: string; actor: string; role: string }>(
      `select type, metadata ->> 'actor' as actor, metadata ->> 'role' as role from es.events
       where stream_id = $1 and data::text like '%' || $2 || '%' order by version`,
      [`account-${nile}`, femi.id],
    )
    expect(events).toEqual([
      { type: 'PersonInvited', actor: (await me(ada)).id, role: 'USER_OWNER' },
      { type: 'PersonJoined', actor: femi.id, role: 'USER_VIEWER' },
    ])
  })

  it.each([
    ['staff', 'moderator@dsp.example', ['USER_VIEWER']],
    ['system administrators', 'admin@dsp.example', ['USER_VIEWER']],
  ])('people of several accounts are no %s, whose addresses are refused as before', async (_, email, roles) => {
    expect(await invite(email, roles)).toMatchObject({ code: 1400, data: { errors: [{ key: 'cannotBeInvited' }] } })
    expect(
      await query(`select 1 from identity.memberships m join identity.people p on p.id = m.person_id where p.email = $1`, [
        email,
      ]),
    ).toEqual([])
  })

  // covers FP-93
  it('people of several accounts do not join the staff of their white-label', async () => {
    const owner = await product.as('owner@dsp.example')
    const house = (await me(owner)).home_space_id
    const tunde = await guest('tunde')
    const answer = await invite(tunde.email, ['WL_MODERATOR'], { by: owner, id: house })
    expect(answer).toMatchObject({ code: 1400, data: { errors: [{ key: 'cannotBeInvited' }] } })
  })

  it('people of several accounts leave nothing behind of an invitation that is refused', async () => {
    const ngozi = await guest('ngozi')
    expect((await invite(ngozi.email, ['WL_OWNER'])).code).toBe(1400)
    expect((await invite(ngozi.email, [])).code).toBe(2)
    expect(await query('select 1 from identity.memberships where person_id = $1', [ngozi.id])).toEqual([])
  })

  it('people of several accounts cannot accept what was withdrawn, is over or is for another, and the owner may mail it again', async () => {
    const sade = await guest('sade')
    const other = await guest('other')
    await invite(sade.email, ['ACCOUNTANT'])
    expect((await accept(other.session)).code).toBe(131)
    expect((await act(sade.id, 'withdraw')).code).toBe(0)
    expect((await accept(sade.session)).code).toBe(131)
    expect((await invite(sade.email, ['ACCOUNTANT'])).data.member.id).toBe(sade.id)
    await query(`update identity.memberships set invited_at = now() - interval '73 hours' where person_id = $1`, [sade.id])
    expect(await open(sade.session)).toEqual([])
    expect((await accept(sade.session)).code).toBe(131)
    expect((await act(sade.id, 'resend')).code).toBe(0)
    expect((await accept(sade.session)).code).toBe(0)
    expect((await accept(sade.session)).code).toBe(0)
    expect((await invite(sade.email, ['ACCOUNTANT'])).code).toBe(1401)
  })

  it('people of several accounts decline an invitation, which ends it, until the owner invites them again', async () => {
    const lola = await guest('lola')
    const other = await guest('stranger')
    const decline = (session: Session) => session.call('POST', `/v1/user/invitations/${nile}/decline`)
    expect((await decline(lola.session)).code).toBe(131)
    await invite(lola.email, ['ACCOUNTANT'])
    expect((await decline(other.session)).code).toBe(131)
    const codes = (await Promise.all(Array.from({ length: 30 }, () => decline(lola.session)))).map(({ code }) => code)
    expect(codes.filter((code) => code === 0)).toHaveLength(1)
    expect(codes.filter((code) => ![0, 6, 131].includes(code))).toEqual([])
    expect(await open(lola.session)).toEqual([])
    expect((await accept(lola.session)).code).toBe(131)
    expect(await memberIn(lola.id)).toBeUndefined()
    const [last] = await query<{ type: string; actor: string }>(
      `select type, metadata ->> 'actor' as actor from es.events
       where stream_id = $1 and data::text like '%' || $2 || '%' order by version desc limit 1`,
      [`account-${nile}`, lola.id],
    )
    expect(last).toEqual({ type: 'InvitationWithdrawn', actor: lola.id })
    expect((await invite(lola.email, ['ACCOUNTANT'])).code).toBe(0)
    expect((await accept(lola.session)).code).toBe(0)
    expect((await decline(lola.session)).code).toBe(1401)
    expect(await memberIn(lola.id)).toMatchObject({ state: 'active' })
  })

  it('people of several accounts are one member when they accept thirty times at once', async () => {
    const kemi = await guest('kemi')
    await invite(kemi.email, ['USER_VIEWER'])
    const all = await Promise.all(Array.from({ length: 30 }, () => accept(kemi.session)))
    expect(new Set(all.map(({ code }) => code))).toEqual(new Set([0]))
    const joined = await query(
      `select 1 from es.events where stream_id = $1 and type = 'PersonJoined' and data ->> 'person_id' = $2`,
      [`account-${nile}`, kemi.id],
    )
    expect(joined).toHaveLength(1)
    expect(await query('select state from identity.memberships where person_id = $1', [kemi.id])).toEqual([{ state: 'active' }])
  })

  // covers FP-93
  it('people of several accounts act in one account at a time, by their roles there, and the session remembers it', async () => {
    const { email, id } = await colleague('amaka')
    const signed = await tokens(email)
    const home = sessionOf(product.base, signed.access_token)
    expect(signed.space_id).toBe(lagos)
    const switched = await switchTo(home, nile)
    expect(switched.code).toBe(0)
    const there = await me(switched.session)
    expect(there).toMatchObject({ space_id: nile, home_space_id: nile, roles: ['USER_VIEWER'], role_key: 'USER_VIEWER' })
    expect((await switched.session.call(...CAMPAIGNS)).code).toBe(0)
    expect((await switched.session.call('POST', `/v1/space/${nile}/team/${id}/resend`)).code).toBe(3)
    expect((await switched.session.call('GET', `/v1/space/${lagos}/team`)).code).toBe(110)
    // The token of the account before is over.
    expect((await refused(home)).status).toBe(401)
    const refreshed = await refresh(switched.data.refresh_token)
    expect(refreshed.data.space_id).toBe(nile)
    const back = await switchTo(sessionOf(product.base, refreshed.data.access_token), lagos)
    expect((await me(back.session)).roles).toEqual(['USER_OWNER'])
    // At once, although the check of the session is cached.
    const again = await switchTo(back.session, nile)
    expect((await again.session.call(...CAMPAIGNS)).code).toBe(0)
  })

  it('people of several accounts switch without a reason where staff give one', async () => {
    const { email } = await colleague('chidi')
    const owner = await product.as('owner@dsp.example')
    const { whitelabel_id } = await me(owner)
    const ask = (switch_reason_required: boolean) =>
      owner.call('PUT', `/v1/whitelabel/${whitelabel_id}`, { whitelabel_settings: { switch_reason_required } })
    expect((await ask(true)).code).toBe(0)
    try {
      const needed = await owner.call('POST', `/v1/user/account/switch/${nile}`, {})
      expect(needed).toMatchObject({ code: 2, data: { errors: [{ path: 'reason' }] } })
      expect((await switchTo(await signIn(product.base, email), nile)).code).toBe(0)
    } finally {
      await ask(false)
    }
  })

  // covers FP-93
  it('people of several accounts are out of an account within 5 s once they are deactivated there, and still in the others', async () => {
    const { email, id } = await colleague('ife')
    const signed = await tokens(email)
    const home = await signIn(product.base, email)
    const there = await switchTo(sessionOf(product.base, signed.access_token), nile)
    const [homeKey, thereKey] = [await keyOf(home), await keyOf(there.session)]
    // Each key belongs to the account in which it was made.
    const named = async (key: Session) => {
      const { data } = await key.call<{ data: readonly { space_id: string }[] }>(...CAMPAIGNS)
      return new Set(data.data.map(({ space_id }) => space_id))
    }
    expect([await named(thereKey), await named(homeKey)]).toEqual([new Set([nile]), new Set([lagos])])
    const keys = await there.session.call<readonly object[]>('GET', '/v1/user/api-keys')
    expect(keys.data).toHaveLength(1)
    const stream = await listen(product.base, there.session)
    const began = Date.now()
    expect((await act(id, 'deactivate')).data.member.state).toBe('deactivated')
    for (const of of [there.session, thereKey]) expect((await refused(of)).status).toBe(401)
    await stream.over
    expect(Date.now() - began).toBeLessThan(6000)
    // The session goes home; other sessions and keys are left alone.
    const after = await refresh(there.data.refresh_token)
    expect([after.type.code, after.data.space_id]).toEqual([0, lagos])
    for (const of of [home, homeKey, sessionOf(product.base, after.data.access_token)])
      expect((await of.call(...CAMPAIGNS)).code).toBe(0)
    expect((await switchTo(home, nile)).code).toBe(6)
    expect((await act(id, 'reactivate')).code).toBe(0)
    expect((await refused(thereKey)).status).toBe(401)
    expect((await switchTo(home, nile)).code).toBe(0)
  })

  // covers FP-93
  it('people of several accounts get other roles and rights of one account within 5 s, and keep those of the others', async () => {
    const { email, id } = await colleague('yemi')
    const there = (await switchTo(await signIn(product.base, email), nile)).session
    expect((await act(id, 'rights', { right: 'balance.read', until: null })).code).toBe(0)
    const reads = () => there.call('GET', `/v1/space/balance/${nile}`)
    expect((await eventually(reads, ({ code }) => code === 0)).code).toBe(0)
    expect((await act(id, 'roles', { roles: ['ACCOUNTANT'] })).code).toBe(0)
    const lists = () => there.call(...CAMPAIGNS)
    expect((await eventually(lists, ({ code }) => code === 3)).code).toBe(3)
    expect((await me(there)).roles).toEqual(['ACCOUNTANT'])
    expect((await me(await signIn(product.base, email))).roles).toEqual(['USER_OWNER'])
    const recorded = await product.database.pool.query(
      `select details from app.security_events where type = 'roles-changed' and person_id = $1`,
      [id],
    )
    expect(recorded.rows).toEqual([{ details: { from: ['USER_VIEWER'], to: ['ACCOUNTANT'], space: nile } }])
  })

  // covers FP-93
  it('people of several accounts are left in their other accounts when they lose their home, and sign in into these', async () => {
    const { email, id } = await colleague('uche')
    const bola = await product.as('bola@lagos.example')
    const home = await signIn(product.base, email)
    const homeKey = await keyOf(home)
    const there = (await switchTo(await signIn(product.base, email), nile)).session
    const thereKey = await keyOf(there)
    expect((await act(id, 'deactivate', undefined, { by: bola, id: lagos })).code).toBe(0)
    for (const of of [home, homeKey]) expect((await refused(of)).status).toBe(401)
    for (const of of [there, thereKey]) expect((await of.call(...CAMPAIGNS)).code).toBe(0)
    const again = await tokens(email)
    expect(again.space_id).toBe(nile)
    const session = sessionOf(product.base, again.access_token)
    expect((await me(session)).accounts.map(({ space_id }) => space_id)).toEqual([nile])
    expect((await switchTo(session, lagos)).code).toBe(6)
    // Out of both: no way in is left.
    expect((await act(id, 'deactivate')).code).toBe(0)
    expect((await refused(session)).status).toBe(401)
    const body = new URLSearchParams({ grant_type: 'password', username: email, password: PASSWORD })
    expect((await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })).status).toBe(401)
  })

  // covers FP-93
  it('people of several accounts are signed out of one account by its owner', async () => {
    const { email, id } = await colleague('ada-eze')
    const home = await signIn(product.base, email)
    const there = (await switchTo(await signIn(product.base, email), nile)).session
    expect((await act(id, 'sign-out')).code).toBe(0)
    expect((await refused(there)).status).toBe(401)
    expect((await home.call(...CAMPAIGNS)).code).toBe(0)
  })

  it('people of several accounts are out of a suspended account, and in the others', async () => {
    const { email } = await colleague('zainab')
    const there = (await switchTo(await signIn(product.base, email), nile)).session
    const key = await keyOf(there)
    await query(
      `insert into identity.account_suspensions (space_id, suspended, revision) values ($1, true, 0)
       on conflict (space_id) do update set suspended = true`,
      [nile],
    )
    try {
      for (const of of [there, key]) expect((await refused(of)).status).toBe(401)
      expect((await tokens(email)).space_id).toBe(lagos)
    } finally {
      await query('update identity.account_suspensions set suspended = false where space_id = $1', [nile])
    }
    // As keys of the home account, it does not come back with a restore.
    expect((await refused(key)).status).toBe(401)
  })

  it('people of several accounts own an account that its last other owner cannot leave them out of', async () => {
    const { id } = await colleague('bayo', ['USER_OWNER'])
    const owners = (await ada.call<Team>('GET', `/v1/space/${nile}/team`)).data.people.filter(
      ({ roles, state }) => roles.includes('USER_OWNER') && state === 'active',
    )
    const admin = await product.as('owner@dsp.example')
    const ways = await Promise.all(
      owners.map((owner) => act(owner.id, 'roles', { roles: ['ACCOUNTANT'] }, { by: admin, id: nile })),
    )
    const codes = ways.map(({ code }) => code)
    expect(codes.filter((code) => code === 2)).toHaveLength(1)
    const left = owners[codes.indexOf(2)]
    expect([id, ...owners.map((owner) => owner.id)]).toContain(left?.id)
    const adaId = owners.find(({ email }) => email === 'ada@nile.example')?.id ?? ''
    await act(adaId, 'roles', { roles: ['USER_OWNER'] }, { by: admin, id: nile })
    ada = await signIn(product.base, 'ada@nile.example')
  })

  it('people of several accounts are named to the people of each of their accounts', async () => {
    const viewer = await colleague('reads')
    const { email } = await colleague('named', ['USER_OWNER'])
    const there = await switchTo(await signIn(product.base, email), nile)
    const granted = await act(viewer.id, 'rights', { right: 'balance.read', until: null }, { by: there.session, id: nile })
    expect(granted.code).toBe(0)
    expect((await memberIn(viewer.id))?.rights).toMatchObject([{ right: 'balance.read', by: 'Typed Name' }])
  })

  it('people of several accounts leave one trace of an erasure: that they are gone', async () => {
    const { id } = await colleague('gone')
    const { erasePerson } = await import('#platform/identity/erasure')
    const { createKysely } = await import('#platform/database/pool')
    const { ERASERS } = await import('#api/areas/index')
    await erasePerson(createKysely(product.database.pool), id, ERASERS)
    expect(
      await query('select state, roles, first_name, last_name from identity.memberships where person_id = $1', [id]),
    ).toEqual([{ state: 'erased', roles: [], first_name: '', last_name: '' }])
    expect(await memberIn(id)).toBeUndefined()
    // The next act of the account records it.
    await invite('next@nile.example', ['ACCOUNTANT'])
    const [recorded] = await query<{ people: readonly { person_id: string; state: string }[] }>(
      `select data -> 'people' as people from es.events where stream_id = $1 and type = 'PeopleRecorded' order by version desc limit 1`,
      [`account-${nile}`],
    )
    expect(recorded?.people).toContainEqual(expect.objectContaining({ person_id: id, state: 'erased' }))
  })
})
