import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Approval } from '#contract/approvals'
import type { TeamMember } from '#contract/team'
import { keyIn, linkIn, mailTo } from '../support/mails.ts'
import { PASSWORD, signIn, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Waiting = { readonly member: TeamMember | null; readonly approval_id: string | null }

/** Fine print 87. */
describe('roles of staff, where a white-label wants a second person', () => {
  let product: TestProduct
  let owner: Session
  let second: Session
  let moderator: Session
  let house = ''
  beforeAll(async () => {
    product = await startTestProduct()
    owner = await product.as('owner@dsp.example')
    moderator = await product.as('moderator@dsp.example')
    house = (await owner.call<{ home_space_id: string }>('GET', '/v1/user/me')).data.home_space_id
    await invite('second@dsp.example', 'WL_OWNER')
    await complete('second@dsp.example')
    second = await signIn(product.base, 'second@dsp.example')
    expect(await rule(true)).toMatchObject({ code: 0, data: { approval_id: null } })
  })
  afterAll(() => product.stop())
  afterEach(async () => {
    for (const { id } of await listed(owner)) await decide(owner, id, 'reject')
  })

  const rule = (on: boolean) =>
    owner.call<{ approval_id: string | null }>('PUT', '/v1/whitelabel/dsp', {
      whitelabel_settings: { second_person_for_roles: on },
    })
  const invite = (email: string, role: string, by = owner) =>
    by.call<Waiting>('POST', `/v1/space/${house}/team/invite`, { email, first_name: 'Ines', last_name: 'Duarte', roles: [role] })
  const act = (person: string, what: string, body?: object, by = owner) =>
    by.call<Waiting>('POST', `/v1/space/${house}/team/${person}/${what}`, body)
  const complete = async (email: string) => {
    const token = keyIn(await mailTo(product.dataDir, email))
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ token, password: PASSWORD })
    expect((await fetch(`${product.base}/v1/registration/complete`, { method: 'POST', headers, body })).status).toBe(200)
  }
  const decide = (by: Session, id: string, how: 'confirm' | 'reject') => by.call('POST', `/v1/approvals/${id}/${how}`, {})
  const listed = async (by: Session, state: 'waiting' | 'decided' = 'waiting') =>
    (await by.call<{ approvals: readonly Approval[] }>('GET', `/v1/approvals?state=${state}`)).data.approvals
  const staff = async () => (await owner.call<{ people: readonly TeamMember[] }>('GET', `/v1/space/${house}/team`)).data.people
  const member = async (email: string) => (await staff()).find((one) => one.email === email)
  const idOf = async (email: string) => (await member(email))?.id ?? ''
  const waitingId = ({ data }: { readonly data: Waiting }) => {
    expect(data.approval_id).toEqual(expect.any(String))
    return data.approval_id ?? ''
  }

  // covers FP-87
  it('an invitation is mailed once another owner confirmed it, and tells who asked', async () => {
    const asked = await invite('ines@dsp.example', 'WL_MODERATOR')
    expect(asked).toMatchObject({ code: 0, data: { member: null } })
    const id = waitingId(asked)
    expect(await member('ines@dsp.example')).toBeUndefined()
    expect(await listed(second)).toMatchObject([
      {
        id,
        kind: 'invitation',
        person: 'Ines Duarte (ines@dsp.example)',
        roles: ['WL_MODERATOR'],
        may_decide: true,
        may_withdraw: false,
        state: 'waiting',
      },
    ])
    expect(await listed(owner)).toMatchObject([{ id, may_decide: false, may_withdraw: true }])
    const mail = await mailTo(product.dataDir, 'second@dsp.example', 2)
    expect(mail.subject).toContain('A role of staff waits for your confirmation')
    expect(linkIn(mail).pathname).toBe('/team')

    expect((await decide(owner, id, 'confirm')).code).toBe(3)
    expect((await decide(moderator, id, 'confirm')).code).toBe(3)
    const codes = (await Promise.all(Array.from({ length: 30 }, () => decide(second, id, 'confirm')))).map(({ code }) => code)
    expect(codes).toContain(0)
    expect(codes.filter((code) => code !== 0 && code !== 134)).toEqual([])
    expect(await member('ines@dsp.example')).toMatchObject({ state: 'invited', roles: ['WL_MODERATOR'] })
    await complete('ines@dsp.example')
    const { rows } = await product.database.pool.query<{ n: number; asked: string; actor: string }>(
      `select count(*) over ()::int as n, data ->> 'asked_by' as asked, metadata ->> 'actor' as actor
       from es.events where type = 'PersonInvited' and data ->> 'person_id' = $1`,
      [await idOf('ines@dsp.example')],
    )
    const me = async (session: Session) => (await session.call<{ id: string }>('GET', '/v1/user/me')).data.id
    expect(rows).toEqual([{ n: 1, asked: await me(owner), actor: await me(second) }])
    expect((await listed(owner, 'decided'))[0]).toMatchObject({ id, state: 'done', person: 'Ines Duarte', may_decide: false })
    const { rows: kept } = await product.database.pool.query(
      "select id from app.second_person where command::text like '%ines@%'",
    )
    expect(kept).toEqual([])
  })

  // covers FP-87
  it('another role, a return and a hand-over wait; a withdrawal of roles and a removal do not', async () => {
    const person = await idOf('moderator@dsp.example')
    const raised = waitingId(await act(person, 'roles', { roles: ['WL_MODERATOR', 'WL_OWNER'] }))
    expect((await member('moderator@dsp.example'))?.roles).toEqual(['WL_MODERATOR'])
    expect((await decide(second, raised, 'reject')).code).toBe(0)
    expect((await decide(second, raised, 'confirm')).code).toBe(134)
    expect((await listed(second, 'decided'))[0]).toMatchObject({ id: raised, state: 'rejected', decided_by: 'Ines Duarte' })

    const both = waitingId(await act(person, 'roles', { roles: ['WL_MODERATOR', 'AUDITOR'] }))
    expect((await decide(second, both, 'confirm')).code).toBe(0)
    expect((await member('moderator@dsp.example'))?.roles).toEqual(['WL_MODERATOR', 'AUDITOR'])
    expect((await act(person, 'roles', { roles: ['WL_MODERATOR'] })).data.approval_id).toBeNull()

    expect((await act(person, 'deactivate')).code).toBe(0)
    const back = waitingId(await act(person, 'reactivate'))
    expect((await member('moderator@dsp.example'))?.state).toBe('deactivated')
    expect((await decide(second, back, 'confirm')).code).toBe(0)
    expect((await member('moderator@dsp.example'))?.state).toBe('active')

    const handed = waitingId(await act(person, 'hand-over'))
    expect(await listed(second)).toMatchObject([{ id: handed, kind: 'hand_over' }])
  })

  // covers FP-87
  it('a role change that is refused anyway is refused at once, and the user who gets a role does not confirm it', async () => {
    expect((await act(await idOf('owner@dsp.example'), 'roles', { roles: ['AUDITOR'] })).code).toBe(3)
    expect((await invite('x@dsp.example', 'USER_OWNER')).code).toBe(2)
    const id = waitingId(await act(await idOf('second@dsp.example'), 'roles', { roles: ['WL_OWNER', 'AUDITOR'] }))
    expect(await listed(second)).toMatchObject([{ id, may_decide: false }])
    expect((await decide(second, id, 'confirm')).code).toBe(3)
  })

  it('people of advertisers need none', async () => {
    const ada = await product.as('ada@nile.example')
    const nile = (await ada.call<{ home_space_id: string }>('GET', '/v1/user/me')).data.home_space_id
    const body = { email: 'nadia@nile.example', first_name: 'Nadia', last_name: 'Saleh', roles: ['ACCOUNTANT'] }
    expect(await ada.call('POST', `/v1/space/${nile}/team/invite`, body)).toMatchObject({
      code: 0,
      data: { member: { state: 'invited' }, approval_id: null },
    })
  })

  // covers FP-87
  it('a request that waited for 14 days can no longer be confirmed', async () => {
    const id = waitingId(await invite('late@dsp.example', 'AUDITOR'))
    const age = (days: number) =>
      product.database.pool.query(`update app.second_person set created_at = now() - make_interval(days => $2) where id = $1`, [
        id,
        days,
      ])
    await age(13)
    expect((await listed(second)).map((one) => one.id)).toEqual([id])
    await age(15)
    expect(await listed(second)).toEqual([])
    expect((await decide(second, id, 'confirm')).code).toBe(134)
    expect(await member('late@dsp.example')).toBeUndefined()
  })

  it('an act that is no longer possible once it is confirmed changes nothing, and is listed so', async () => {
    const email = 'twice@dsp.example'
    const [first, again] = [waitingId(await invite(email, 'AUDITOR')), waitingId(await invite(email, 'AUDITOR'))]
    expect((await decide(second, first, 'confirm')).code).toBe(0)
    expect((await decide(second, again, 'confirm')).code).toBe(1400)
    expect((await listed(second, 'decided')).find(({ id }) => id === again)).toMatchObject({ state: 'failed' })
    expect((await staff()).filter((one) => one.email === email)).toHaveLength(1)
  })

  // covers FP-87
  it('the rule ends by a second person alone', async () => {
    const asked = await rule(false)
    const id = asked.data.approval_id ?? ''
    const invited = await invite('still@dsp.example', 'AUDITOR')
    expect(invited.data.approval_id).not.toBeNull()
    expect((await decide(owner, id, 'confirm')).code).toBe(3)
    expect((await decide(second, id, 'confirm')).code).toBe(0)
    expect((await invite('free@dsp.example', 'AUDITOR')).data).toMatchObject({ approval_id: null, member: { state: 'invited' } })
    expect(await rule(true)).toMatchObject({ code: 0, data: { approval_id: null } })
  })
})
