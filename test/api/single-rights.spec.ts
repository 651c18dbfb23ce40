import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Approval } from '#contract/approvals'
import type { TeamMember } from '#contract/team'
import { listen } from '../support/event-stream.ts'
import { keyIn, mailTo } from '../support/mails.ts'
import { eventually, PASSWORD, signIn, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Done = { readonly member: TeamMember; readonly approval_id?: string | null }

/** A change of rights works within 5 s in sessions that are open. */
const WORKS_MS = 5000

/** Fine print 89. */
describe('single rights', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let space: string
  let house: string
  let campaign: string
  beforeAll(async () => {
    product = await startTestProduct()
    ada = await product.as('ada@nile.example')
    owner = await product.as('owner@dsp.example')
    space = await homeOf(ada)
    house = await homeOf(owner)
    const body = { name: 'Spring', country: 'EG', budget: 50, bidding_strategy: { type: 'awareness' } }
    campaign = (await ada.call<{ id: string }>('POST', '/v1/campaign', body)).data.id
  })
  afterAll(() => product.stop())

  const homeOf = async (session: Session) =>
    (await session.call<{ home_space_id: string }>('GET', '/v1/user/me')).data.home_space_id
  const idOf = async (session: Session) => (await session.call<{ id: string }>('GET', '/v1/user/me')).data.id

  async function colleague(email: string, roles: readonly string[], { by = ada, id = space } = {}) {
    const names = { first_name: 'Vera', last_name: 'Saleh' }
    const { data } = await by.call<{ member: TeamMember }>('POST', `/v1/space/${id}/team/invite`, { email, ...names, roles })
    const token = keyIn(await mailTo(product.dataDir, email))
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ token, password: PASSWORD })
    expect((await fetch(`${product.base}/v1/registration/complete`, { method: 'POST', headers, body })).status).toBe(200)
    return { id: data.member.id, session: await signIn(product.base, email) }
  }
  const grant = (person: string, right: string, until: string | null = null, { by = ada, id = space } = {}) =>
    by.call<Done>('POST', `/v1/space/${id}/team/${person}/rights`, { right, until })
  const take = (person: string, right: string, { by = ada, id = space } = {}) =>
    by.call<Done>('POST', `/v1/space/${id}/team/${person}/rights/take`, { right })
  const save = (by: Session, id = campaign) => by.call('PUT', '/v1/campaign', { id, budget: 60 })
  const becomes = (ask: () => Promise<{ readonly code: number }>, code: number) =>
    eventually(ask, (answer) => answer.code === code, WORKS_MS)

  // covers FP-89
  it('single rights work within 5 s in the own account alone, and are refused within 5 s once they are taken', async () => {
    const { id, session } = await colleague('vera@nile.example', ['USER_VIEWER'])
    expect((await save(session)).code).toBe(3)
    const granted = await grant(id, 'campaign.write')
    expect(granted).toMatchObject({
      code: 0,
      data: {
        approval_id: null,
        member: { rights: [{ right: 'campaign.write', kind: 'granted', until: null, by: 'Ada Hassan' }] },
      },
    })
    await becomes(() => save(session), 0)
    const me = await session.call('GET', '/v1/user/me')
    expect(me.data).toMatchObject({
      roles: ['USER_VIEWER'],
      rights: [{ right: 'campaign.write', kind: 'granted', until: null }],
    })
    const bola = await product.as('bola@lagos.example')
    const body = { name: 'Elsewhere', country: 'NG', budget: 50, bidding_strategy: { type: 'awareness' } }
    const other = (await bola.call<{ id: string }>('POST', '/v1/campaign', body)).data.id
    expect((await save(session, other)).code).toBe(130)
    expect((await take(id, 'campaign.write')).data.member.rights).toEqual([])
    await becomes(() => save(session), 3)
    expect((await session.call('GET', `/v1/campaign/${campaign}`)).code).toBe(0)
  })

  // covers FP-89
  it('single rights end by themselves at their instant', async () => {
    const { id, session } = await colleague('till@nile.example', ['USER_VIEWER'])
    const until = new Date(Date.now() + 7000).toISOString()
    expect((await grant(id, 'campaign.write', until)).data.member.rights).toMatchObject([{ until }])
    await becomes(() => save(session), 0)
    await eventually(
      () => save(session),
      ({ code }) => code === 3,
    )
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until))
    const { data } = await ada.call<{ people: readonly TeamMember[] }>('GET', `/v1/space/${space}/team`)
    expect(data.people.find((one) => one.id === id)?.rights).toEqual([])
  })

  // covers FP-89
  it('single rights of the role can be taken and given back', async () => {
    const { id, session } = await colleague('clara@nile.example', ['ACCOUNTANT'])
    const read = () => session.call('GET', `/v1/space/balance/${space}`)
    const before = (await read()).code
    expect(before).not.toBe(3)
    expect((await take(id, 'balance.read')).data.member.rights).toMatchObject([
      { right: 'balance.read', kind: 'taken', by: 'Ada Hassan' },
    ])
    await becomes(read, 3)
    expect((await grant(id, 'balance.read')).data.member.rights).toEqual([])
    await becomes(read, before)
  })

  it('single rights are recorded once each, with who granted them, in the history of the account by name', async () => {
    const { id } = await colleague('once@nile.example', ['USER_VIEWER'])
    const until = new Date(Date.now() + 86_400_000).toISOString()
    for (let n = 0; n < 3; n++) expect((await grant(id, 'invoice.read', until)).code).toBe(0)
    for (let n = 0; n < 3; n++) expect((await take(id, 'audience.write')).code).toBe(0)
    const { rows } = await product.database.pool.query<{ data: object }>(
      `select data from es.events where type = 'PersonRightChanged' and data ->> 'person_id' = $1`,
      [id],
    )
    expect(rows).toEqual([{ data: { person_id: id, right: 'invoice.read', to: 'granted', until, by: await idOf(ada) } }])
    type Entry = { readonly type: string; readonly changes: readonly object[] }
    const { data } = await owner.call<{ data: readonly Entry[] }>('GET', `/v1/space/${space}/history`)
    expect(data.data.find(({ type }) => type === 'PersonRightChanged')?.changes).toEqual([
      { field: 'right_granted', from: null, to: 'invoice.read' },
      { field: 'right_until', from: null, to: until },
      { field: 'person', from: null, to: 'Vera Saleh' },
    ])
  })

  // covers FP-89
  it.each<[string, string, string | null, string]>([
    ['no right of another kind of person', 'account.list', null, 'notAllowed'],
    ['none that is over', 'campaign.write', '2020-01-01T00:00:00Z', 'endInPast'],
    ['none until what is no instant', 'campaign.write', 'soon', 'endInPast'],
  ])('single rights are granted by the list: %s', async (_, right, until, key) => {
    const viewer = (await ada.call<{ people: readonly TeamMember[] }>('GET', `/v1/space/${space}/team`)).data.people.find(
      ({ roles }) => roles.includes('USER_VIEWER'),
    )
    expect(await grant(viewer?.id ?? '', right, until)).toMatchObject({ code: 2, data: { errors: [{ key }] } })
  })

  // covers FP-89
  it('single rights are no others than those of the list', async () => {
    expect((await grant(await idOf(ada), 'team.manage')).code).toBe(2)
    expect((await grant(await idOf(ada), 'campaign.read')).code).toBe(3)
  })

  // covers FP-89
  it('single rights end with another role that may not have them, and with the removal of the person', async () => {
    const { id } = await colleague('moves@nile.example', ['USER_VIEWER'])
    await grant(id, 'campaign.write')
    const to = async (what: string, body?: object) =>
      (await ada.call<Done>('POST', `/v1/space/${space}/team/${id}/${what}`, body)).data.member.rights
    expect(await to('roles', { roles: ['ACCOUNTANT'] })).toEqual([])
    expect(await to('roles', { roles: ['USER_VIEWER'] })).toEqual([])
    await grant(id, 'campaign.write')
    expect(await to('deactivate')).toEqual([])
    expect(await to('reactivate')).toEqual([])
  })

  it('single rights hold for API keys too, and a live stream ends when they change', async () => {
    const { id, session } = await colleague('keys@nile.example', ['USER_VIEWER'])
    const made = await session.call<{ key: string }>('POST', '/v1/user/api-keys', {
      name: 'CI',
      scopes: ['read', 'campaigns'],
      days: 30,
    })
    expect(made.code).toBe(0)
    const byKey = async () => {
      const headers = { authorization: `Bearer ${made.data.key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ id: campaign, budget: 61 })
      const response = await fetch(`${product.base}/v1/campaign`, { method: 'PUT', headers, body })
      const { type }: { type: { code: number } } = await response.json()
      return type
    }
    expect((await byKey()).code).toBe(3)
    const stream = await listen(product.base, session)
    await stream.next()
    await grant(id, 'campaign.write')
    await stream.over
    await becomes(byKey, 0)
    await take(id, 'campaign.write')
    await becomes(byKey, 3)
  })

  it('single rights are no matter of other roles and white-labels', async () => {
    const person = await idOf(ada)
    for (const who of ['moderator@dsp.example', 'accountant@dsp.example', 'auditor@dsp.example', 'clerk@nile.example']) {
      const by = await product.as(who)
      expect((await grant(person, 'campaign.write', null, { by, id: space })).code, who).toBe(3)
      expect((await take(person, 'campaign.write', { by, id: space })).code, who).toBe(3)
    }
    const bola = await product.as('bola@lagos.example')
    expect((await grant(person, 'campaign.write', null, { by: bola, id: space })).code).toBe(110)
    expect((await take(person, 'campaign.write', { by: bola, id: space })).code).toBe(110)
  })

  // covers FP-89
  it('single rights of staff wait for a second person where roles do, and are taken at once', async () => {
    const staff = { by: owner, id: house }
    const moderator = await idOf(await product.as('moderator@dsp.example'))
    const second = (await colleague('second@dsp.example', ['WL_OWNER'], staff)).session
    const rule = (on: boolean) =>
      owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { second_person_for_roles: on } })
    expect((await rule(true)).code).toBe(0)
    const asked = await grant(moderator, 'invoice.read', null, staff)
    expect(asked).toMatchObject({ code: 0, data: { member: { rights: [] }, approval_id: expect.any(String) } })
    const id = asked.data.approval_id ?? ''
    const listed = async () => (await second.call<{ approvals: readonly Approval[] }>('GET', '/v1/approvals')).data.approvals
    expect(await listed()).toMatchObject([{ id, kind: 'right', right: 'invoice.read', right_until: null, may_decide: true }])
    const confirm = (by: Session) => by.call('POST', `/v1/approvals/${id}/confirm`, {})
    expect((await confirm(owner)).code).toBe(3)
    expect((await confirm(second)).code).toBe(0)
    const { rows } = await product.database.pool.query<{ data: object; actor: string }>(
      `select data, metadata ->> 'actor' as actor from es.events where type = 'PersonRightChanged' and data ->> 'person_id' = $1`,
      [moderator],
    )
    expect(rows).toMatchObject([
      { data: { to: 'granted', by: await idOf(owner), asked_by: await idOf(owner) }, actor: await idOf(second) },
    ])
    expect((await take(moderator, 'invoice.read', staff)).data.member.rights).toEqual([])
    expect((await take(moderator, 'log.read', staff)).data.member.rights).toMatchObject([{ kind: 'taken' }])
    const back = await grant(moderator, 'log.read', null, staff)
    expect(back.data.approval_id).toEqual(expect.any(String))
  })
})
