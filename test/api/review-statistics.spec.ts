import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReviewStatistics } from '#contract/moderation'
import { publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { testClock } from '../support/test-clock.ts'

const PATH = '/v1/whitelabel/admin/moderation/statistics'

/** Fine print 101. */
describe('statistics of moderation', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let moderator: Session
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, owner, moderator] = (await Promise.all(
      ['ada@nile', 'owner@dsp', 'moderator@dsp'].map((name) => product.as(`${name}.example`)),
    )) as [Session, Session, Session]
  })
  afterAll(() => product.stop())

  const today = testClock.day
  const read = async (session: Session, position = '0') =>
    (await session.call<ReviewStatistics>('GET', `${PATH}?from=${today()}&to=${today()}`, undefined, { 'x-position': position }))
      .data

  it('statistics of moderation count a decision of a moderator, with the position of the decision', async () => {
    const before = await read(owner)
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada))
    const verdict = { campaign_id: data.id, moderation_start_at: data.moderation_start_at, comment: 'No' }
    const { data: done } = await moderator.call('POST', '/v1/whitelabel/admin/campaign/reject', verdict)
    const after = await read(owner, done.position)
    expect(after.total.rejected).toBe(before.total.rejected + 1)
    const { id } = (await moderator.call<{ id: string }>('GET', '/v1/user/me')).data
    const own = after.moderators.find((one) => one.id === id)
    expect(own).toMatchObject({ rejected: 1, in_time: 1, name: expect.stringMatching(/\S/) })
    expect(own?.median_minutes).toBeLessThan(10)
    expect(after.days).toContainEqual({ day: today(), moderator_id: id, approved: 0, rejected: 1 })
    expect(after.queue).toHaveLength(1)
    const csv = await fetch(`${product.base}${PATH}/csv?from=${today()}&to=${today()}`, {
      headers: { authorization: `Bearer ${owner.token}` },
    })
    expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(await csv.text()).toContain(`${own?.name},0,1,`)
  })

  // covers FP-101
  it('statistics of moderation take 1 to 366 days that exist', async () => {
    const code = async (from: string, to: string) => (await owner.call('GET', `${PATH}?from=${from}&to=${to}`)).code
    expect(await code('2026-01-01', '2027-01-01')).toBe(0)
    for (const [from, to] of [
      ['2026-01-01', '2027-01-02'],
      ['2026-01-02', '2026-01-01'],
      ['2026-02-30', '2026-03-01'],
      ['2026-1-1', '2026-01-02'],
      ['', ''],
    ] as const)
      expect([from, to, await code(from, to)]).toEqual([from, to, 2])
  })
})
