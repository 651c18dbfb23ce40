import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Approval } from '#contract/approvals'
import type { TeamMember } from '#contract/team'
import { keyIn, linkIn, mailTo } from '../support/mails.ts'
import { PASSWORD, signIn, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const WHY = 'Called back at the number of the contract'

/** Fine print 97. */
describe('a lost second factor', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let nile = ''
  beforeAll(async () => {
    product = await startTestProduct()
    ada = await product.as('ada@nile.example')
    owner = await product.as('owner@dsp.example')
    nile = (await me(ada)).home_space_id
  })
  afterAll(() => product.stop())

  const me = async (session: Session) => (await session.call<{ id: string; home_space_id: string }>('GET', '/v1/user/me')).data
  const reset = (person: string, { by = ada, id = nile, comment = WHY } = {}) =>
    by.call<{ approval_id: string }>('POST', `/v1/space/${id}/team/${person}/reset-second-factor`, { comment })
  const decide = (by: Session, id: string, how: 'confirm' | 'reject' = 'confirm') =>
    by.call('POST', `/v1/approvals/${id}/${how}`, {})
  const waiting = async (by: Session) =>
    (await by.call<{ approvals: readonly Approval[] }>('GET', '/v1/approvals')).data.approvals
  const member = async (id: string, of = nile, by = ada) =>
    (await by.call<{ people: readonly TeamMember[] }>('GET', `/v1/space/${of}/team`)).data.people.find((one) => one.id === id)
  const resets = async (id: string) =>
    (
      await product.database.pool.query<{ details: object }>(
        `select details from app.security_events where person_id = $1 and type = 'second-factor-reset'`,
        [id],
      )
    ).rows.map(({ details }) => details)
  /** Whether the password alone signs in. */
  async function byPassword(email: string): Promise<boolean> {
    const body = new URLSearchParams({ grant_type: 'password', username: email, password: PASSWORD })
    return (await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })).status === 200
  }
  async function withFactor(session: Session): Promise<void> {
    const begun = await session.call<{ secret: string }>('POST', '/v1/user/second-factor/begin', { password: PASSWORD })
    const code = new TOTP({ secret: Secret.fromBase32(begun.data.secret) }).generate()
    expect((await session.call('POST', '/v1/user/second-factor/confirm', { code })).code).toBe(0)
  }
  /** A person who was invited into an account, joined, and has a second factor. */
  async function colleague(email: string, roles: readonly string[], { by = ada, id = nile } = {}) {
    const invited = await by.call<{ member: TeamMember }>('POST', `/v1/space/${id}/team/invite`, {
      email,
      first_name: 'Sara',
      last_name: 'Adel',
      roles,
    })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ token: keyIn(await mailTo(product.dataDir, email)), password: PASSWORD })
    expect((await fetch(`${product.base}/v1/registration/complete`, { method: 'POST', headers, body })).status).toBe(200)
    const session = await signIn(product.base, email)
    return { id: invited.data.member.id, email, session }
  }

  // covers FP-97
  it('a lost second factor is asked about by an owner, and switched off once an owner of the white-label confirms it', async () => {
    const sara = await colleague('sara@nile.example', ['USER_VIEWER'])
    await withFactor(sara.session)
    const asked = await reset(sara.id)
    expect(asked.code).toBe(0)
    const id = asked.data.approval_id
    expect(await byPassword(sara.email)).toBe(false)
    expect(await waiting(owner)).toMatchObject([
      {
        id,
        kind: 'second_factor',
        person: 'Sara Adel',
        space_id: nile,
        comment: WHY,
        amount: null,
        currency: null,
        may_decide: true,
      },
    ])
    const mail = await mailTo(product.dataDir, 'owner@dsp.example')
    expect(mail.subject).toContain('A lost second factor waits for your confirmation')
    expect(linkIn(mail).pathname).toBe('/team')

    // Neither who asked nor the person, who belong to the advertiser.
    for (const by of [ada, sara.session, await product.as('moderator@dsp.example')]) expect((await decide(by, id)).code).toBe(3)
    const codes = (await Promise.all(Array.from({ length: 30 }, () => decide(owner, id)))).map(({ code }) => code)
    expect(codes).toContain(0)
    expect(codes.filter((code) => code !== 0 && code !== 134)).toEqual([])

    expect(await byPassword(sara.email)).toBe(true)
    expect(await member(sara.id)).toMatchObject({ second_factor: false, state: 'active' })
    expect(await resets(sara.id)).toEqual([
      { by: (await me(owner)).id, asked_by: (await me(ada)).id, approval: id, comment: WHY },
    ])
    expect((await mailTo(product.dataDir, sara.email, 1, 'two-step sign-in was reset')).text).toContain('Sara')
  })

  it('a lost second factor of a user who set up a new one since is not switched off by a confirmation that is repeated', async () => {
    const nour = await colleague('nour@nile.example', ['ACCOUNTANT'])
    await withFactor(nour.session)
    const { approval_id: id } = (await reset(nour.id)).data
    expect((await decide(owner, id)).code).toBe(0)
    await withFactor(await signIn(product.base, nour.email))
    // As if the process had ended before it noted what it did.
    await product.database.pool.query(
      `update app.second_person set state = 'approved', decided_at = now() - interval '1 minute' where id = $1`,
      [id],
    )
    expect((await decide(owner, id)).code).toBe(0)
    expect(await member(nour.id)).toMatchObject({ second_factor: true })
    expect(await resets(nour.id)).toHaveLength(1)
  })

  it('a lost second factor of staff waits for another owner than the one who asks', async () => {
    const house = (await me(owner)).home_space_id
    const mona = await colleague('mona@dsp.example', ['WL_OWNER'], { by: owner, id: house })
    await withFactor(mona.session)
    const { approval_id: id } = (await reset(mona.id, { by: owner, id: house })).data
    expect((await decide(owner, id)).code).toBe(3)
    expect((await decide(mona.session, id)).code).toBe(3)
    expect((await decide(await product.as('admin@dsp.example'), id)).code).toBe(0)
    expect(await byPassword(mona.email)).toBe(true)
  })

  // covers FP-97
  it('a lost second factor is refused at once of oneself, without one, of an invited person, of a guest and of another account', async () => {
    const before = await waiting(owner)
    const omar = await colleague('omar@nile.example', ['USER_VIEWER'])
    expect(await reset(omar.id)).toMatchObject({ code: 2, data: { errors: [{ path: 'person' }] } })
    await withFactor(omar.session)
    expect((await reset((await me(ada)).id)).code).toBe(3)
    expect((await reset(omar.id, { comment: '  ' })).code).toBe(2)
    expect((await reset(omar.id, { by: omar.session })).code).toBe(3)
    const bola = await product.as('bola@lagos.example')
    const lagos = (await me(bola)).home_space_id
    expect((await reset(omar.id, { by: bola })).code).toBe(110)
    expect((await reset(omar.id, { by: bola, id: lagos })).code).toBe(6)
    const admin = await me(await product.as('admin@dsp.example'))
    expect((await reset(admin.id, { by: owner, id: admin.home_space_id })).code).toBe(6)
    const waits = await ada.call<{ member: TeamMember }>('POST', `/v1/space/${nile}/team/invite`, {
      email: 'later@nile.example',
      first_name: 'Later',
      last_name: 'Nile',
      roles: ['USER_VIEWER'],
    })
    expect((await reset(waits.data.member.id)).code).toBe(1402)

    // The owner of a further account is not the one who knows a guest.
    await bola.call('POST', `/v1/space/${lagos}/team/invite`, {
      email: omar.email,
      first_name: 'Omar',
      last_name: 'Adel',
      roles: ['USER_VIEWER'],
    })
    expect((await omar.session.call('POST', `/v1/user/invitations/${lagos}/accept`)).code).toBe(0)
    expect(await member(omar.id, lagos, bola)).toMatchObject({ elsewhere: true, second_factor: true })
    expect((await reset(omar.id, { by: bola, id: lagos })).code).toBe(3)
    expect(await waiting(owner)).toEqual(before)
    expect(await byPassword(omar.email)).toBe(false)
  })

  // covers FP-97
  it('waits for at most five people of an account at a time', async () => {
    const before = (await waiting(owner)).filter(({ space_id }) => space_id === nile).length
    expect(before).toBe(0)
    const [dina, rami] = [
      await colleague('dina@nile.example', ['ACCOUNTANT']),
      await colleague('rami@nile.example', ['ACCOUNTANT']),
    ]
    for (const { session } of [dina, rami]) await withFactor(session)
    const ids: string[] = []
    for (const { id } of [dina, dina, dina, rami, rami]) ids.push((await reset(id)).data.approval_id)
    expect((await reset(rami.id)).code).toBe(134)
    for (const id of ids) expect((await decide(owner, id, 'reject')).code).toBe(0)
  })

  // covers FP-97
  it('a lost second factor can be asked about three times a day, and what was rejected changes nothing', async () => {
    const hana = await colleague('hana@nile.example', ['USER_VIEWER'])
    await withFactor(hana.session)
    for (let n = 0; n < 3; n += 1) {
      const { approval_id: id } = (await reset(hana.id)).data
      expect((await decide(owner, id, 'reject')).code).toBe(0)
      expect((await decide(owner, id)).code).toBe(134)
    }
    expect((await reset(hana.id)).status).toBe(429)
    expect(await byPassword(hana.email)).toBe(false)
    expect(await resets(hana.id)).toEqual([])
  })
})
