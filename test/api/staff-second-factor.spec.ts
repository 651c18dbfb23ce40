import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#domain/kit/access'
import { createKysely } from '#platform/database/pool'
import { createPeople } from '#platform/identity/people'
import { newId } from '#platform/ids'
import { PASSWORD, sessionOf, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

/** Fine print 95. */
describe('an installation without the demo', () => {
  let product: TestProduct
  let admin: Session
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_DEMO: 'off' })
    admin = await signIn('SYSTEM_ADMIN')
  })
  afterAll(() => product.stop())

  async function signIn(role: Role): Promise<Session> {
    const id = newId()
    const email = `${id}@staff.example`
    const names = { first_name: 'Test', last_name: 'Person', phone: null, password: PASSWORD }
    const people = createPeople(createKysely(product.database.pool), { demo: false })
    await people.create({ id, whitelabel_id: 'dsp', home_space_id: 'home', roles: [role], email, ...names })
    const body = new URLSearchParams({ grant_type: 'password', username: email, password: PASSWORD })
    const answer = await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })
    const { data } = (await answer.json()) as { data: { access_token: string } }
    return sessionOf(product.base, data.access_token)
  }

  const restricted = async (session: Session) =>
    (await session.call<{ second_factor_required?: boolean } | null>('POST', '/v1/whitelabel/admin/moderation/queue', {})).data
      ?.second_factor_required === true
  const required = async (session: Session) =>
    (await session.call<{ second_factor_required: boolean }>('GET', '/v1/user/me')).data.second_factor_required

  async function setUp(session: Session): Promise<void> {
    const begun = await session.call<{ secret: string }>('POST', '/v1/user/second-factor/begin', {})
    const code = new TOTP({ secret: Secret.fromBase32(begun.data.secret) }).generate()
    expect((await session.call('POST', '/v1/user/second-factor/confirm', { code })).code).toBe(0)
  }

  // covers FP-95
  it('lets a system administrator do nothing before a second factor is set up', async () => {
    expect([await restricted(admin), await required(admin)]).toEqual([true, true])
    await setUp(admin)
    expect([await restricted(admin), await required(admin)]).toEqual([false, true])
  })

  // covers FP-95
  it('asks it of the staff of every white-label until one chooses otherwise, and of no advertiser', async () => {
    const [moderator, viewer, owner] = [await signIn('WL_MODERATOR'), await signIn('USER_VIEWER'), await signIn('WL_OWNER')]
    expect([await restricted(moderator), await required(moderator)]).toEqual([true, true])
    expect(await required(viewer)).toBe(false)
    await setUp(owner)
    const settings = (second_factor_required: boolean) =>
      owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { second_factor_required } })
    expect((await settings(false)).code).toBe(0)
    await expect.poll(() => restricted(moderator)).toBe(false)
    expect(await required(moderator)).toBe(false)
    expect(await required(admin)).toBe(true)
    expect((await settings(true)).code).toBe(0)
    await expect.poll(() => restricted(moderator)).toBe(true)
  })
})
