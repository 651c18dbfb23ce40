import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../support/event-stream.ts'
import { publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const ADMIN = '/v1/whitelabel/admin'
type Held = { readonly holder: { readonly id: string; readonly name: string; readonly until: string } | null }
type Row = {
  readonly campaign_id: string
  readonly holder: Held['holder']
  readonly assignee: { readonly id: string; readonly name: string } | null
}
type People = { readonly people: readonly { readonly id: string; readonly name: string }[] }

/** Fine print 101. */
describe('holds of submissions', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let moderator: Session
  let ids: { readonly owner: string; readonly moderator: string }
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, owner, moderator] = (await Promise.all(
      ['ada@nile', 'owner@dsp', 'moderator@dsp'].map((name) => product.as(`${name}.example`)),
    )) as [Session, Session, Session]
    const idOf = async (session: Session) => (await session.call<{ id: string }>('GET', '/v1/user/me')).data.id
    ids = { owner: await idOf(owner), moderator: await idOf(moderator) }
  })
  afterAll(() => product.stop())

  const submitted = async () => {
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada))
    return { ...data, at: { 'x-position': data.position } }
  }
  type Submitted = Awaited<ReturnType<typeof submitted>>
  const hold = (session: Session, { id, at }: Submitted, take_over = false) =>
    session.call<Held>('POST', `${ADMIN}/moderation/hold`, { campaign_id: id, take_over }, at)
  const decide = (session: Session, { id, moderation_start_at }: Submitted, over: object = {}) =>
    session.call('POST', `${ADMIN}/campaign/approve`, { campaign_id: id, moderation_start_at, ...over })
  const rowOf = async (session: Session, { id, at }: Submitted, filter?: string) => {
    const body = { page_size: 150, ...(filter === undefined ? {} : { filter }) }
    const { data } = await session.call<{ data: readonly Row[] }>('POST', `${ADMIN}/moderation/queue`, body, at)
    return data.data.find(({ campaign_id }) => campaign_id === id)
  }

  // covers FP-101
  it('holds of submissions show who reviews a submission, and keep others from deciding until they take it over', async () => {
    const one = await submitted()
    expect((await hold(moderator, one)).data.holder).toMatchObject({ id: ids.moderator, name: expect.stringMatching(/\S/) })
    expect((await hold(owner, one)).data.holder?.id).toBe(ids.moderator)
    expect((await rowOf(owner, one))?.holder).toMatchObject({ id: ids.moderator, name: expect.stringMatching(/\S/) })
    expect([(await decide(owner, one)).code, (await decide(owner, one, { take_over: false })).code]).toEqual([143, 143])
    expect((await decide(owner, one, { take_over: true })).code).toBe(0)
  })

  // covers FP-101
  it('holds of submissions are taken over, which the one before learns by the live stream', async () => {
    const one = await submitted()
    await hold(moderator, one)
    const stream = await listen(product.base, moderator)
    expect((await stream.next()).event).toBe('ready')
    const outside = await listen(product.base, ada)
    expect((await outside.next()).event).toBe('ready')
    expect((await hold(owner, one, true)).data.holder?.id).toBe(ids.owner)
    let message = await stream.next()
    while (message.event !== 'reviews') message = await stream.next()
    expect(message.data).toBe('{}')
    expect((await rowOf(moderator, one))?.holder?.id).toBe(ids.owner)
    expect((await decide(moderator, one)).code).toBe(143)
    expect(outside.messages.map(({ event }) => event)).not.toContain('reviews')
    for (const { end } of [stream, outside]) end()
    await Promise.all([stream.over, outside.over])
  })

  // covers FP-101
  it('holds of submissions that are over lose no decision', async () => {
    const one = await submitted()
    await hold(owner, one)
    await product.database.pool.query(`update app.review_holds set until = now() - interval '1 second' where campaign_id = $1`, [
      one.id,
    ])
    expect((await rowOf(moderator, one))?.holder).toBeNull()
    expect((await decide(moderator, one)).code).toBe(0)
  })

  // covers FP-101
  it('holds of submissions end with a release, and with the decision', async () => {
    const [one, two] = [await submitted(), await submitted()]
    await hold(owner, one)
    expect((await owner.call('POST', `${ADMIN}/moderation/release`, { campaign_id: one.id })).code).toBe(0)
    expect((await hold(moderator, one)).data.holder?.id).toBe(ids.moderator)
    await hold(moderator, two)
    expect((await decide(moderator, two)).code).toBe(0)
    // Without a position: also where the read model is late.
    expect(await rowOf(moderator, { ...two, at: { 'x-position': '0' } })).toBeUndefined()
    expect((await hold(owner, two)).data.holder).toBeNull()
  })

  it('holds of submissions of a dry run and of a refused decision stay', async () => {
    const one = await submitted()
    await hold(moderator, one)
    const dry = await moderator.call('POST', `${ADMIN}/campaign/approve?dry_run=true`, {
      campaign_id: one.id,
      moderation_start_at: one.moderation_start_at,
    })
    expect(dry.code).toBe(0)
    expect((await decide(moderator, one, { moderation_start_at: '2020-01-01T00:00:00Z' })).code).toBe(138)
    expect((await rowOf(moderator, one))?.holder?.id).toBe(ids.moderator)
  })

  // covers FP-101
  it('holds of submissions are assigned by an owner, to a moderator of the white-label alone', async () => {
    const one = await submitted()
    const assign = (session: Session, moderator_id: string | null, id = one.id) =>
      session.call('POST', `${ADMIN}/moderation/assign`, { campaign_id: id, moderator_id }, one.at)
    const { people } = (await owner.call<People>('GET', `${ADMIN}/moderation/moderators`)).data
    expect(people.map(({ id }) => id)).toEqual(expect.arrayContaining([ids.owner, ids.moderator]))
    expect((await moderator.call('GET', `${ADMIN}/moderation/moderators`)).code).toBe(3)
    expect((await assign(moderator, ids.moderator)).code).toBe(3)
    const stranger = (await ada.call<{ id: string }>('GET', '/v1/user/me')).data.id
    expect((await assign(owner, stranger)).code).toBe(131)
    expect((await assign(owner, ids.moderator)).code).toBe(0)
    expect((await rowOf(moderator, one, 'mine'))?.assignee).toMatchObject({
      id: ids.moderator,
      name: expect.stringMatching(/\S/),
    })
    expect(await rowOf(owner, one, 'free')).toBeUndefined()
    expect(await rowOf(owner, one, 'all')).toBeDefined()
    expect((await decide(moderator, one)).code).toBe(0)
    expect((await assign(owner, ids.moderator)).code).toBe(136)
  })
})
