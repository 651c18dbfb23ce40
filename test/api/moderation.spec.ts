import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reviewDueAt } from '#domain/campaign/review/review-time'
import { publishable, startTestProduct, type Campaignish, type Session, type TestProduct } from '../support/product.ts'

type Body = Readonly<Record<string, unknown>>

describe('moderation', () => {
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

  const submitted = async () => (await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada))).data
  const decide = (session: Session, verdict: 'approve' | 'reject', body: Body) =>
    session.call<Campaignish>('POST', `/v1/whitelabel/admin/campaign/${verdict}`, body)
  const read = async (id: string, position: string) =>
    (await owner.call<Body>('GET', `/v1/campaign/${id}`, undefined, { 'x-position': position })).data

  /** Approves a submission for some exchanges, then records the decision of each of `deciding`. */
  async function approvedFor(exchange_id: readonly string[], deciding: readonly string[]) {
    const { id, moderation_start_at } = await submitted()
    const answer = await decide(owner, 'approve', {
      campaign_id: id,
      category_keys: ['IAB20', 'IAB20-3'],
      exchange_id,
      moderation_start_at,
    })
    expect(answer.data).toMatchObject({ id, status_key: 6 })
    const stored = await read(id, answer.data.position)
    const verdict = { status: 'approved', topics: [] }
    const decisions = [
      { campaign_id: id, dealsPolicyCompliance: verdict, networkPolicyCompliance: verdict, platformPolicyCompliance: verdict },
    ]
    const codes: number[] = []
    for (const exchange of deciding) {
      const path = `/v1/exchange/${exchange}/decisions`
      const { data } = await owner.call<{ results: { code: number }[] }>('POST', path, { decisions })
      codes.push(...data.results.map(({ code }) => code))
    }
    return { stored, codes }
  }

  // covers CAM-GEN-08 CAM-MOD-16 CAM-MOD-18..20 ROLE-07
  it('lets an owner approve with categories for the chosen exchanges only', async () => {
    const { stored, codes } = await approvedFor(['google', 'yandex'], ['google', 'yandex', 'verve'])
    expect(stored).toMatchObject({ campaign_category_keys: ['IAB20', 'IAB20-3'], exchange_id: ['google', 'yandex'] })
    expect(codes).toEqual([0, 0, 131])
  })

  // covers CAM-MOD-08
  it('approves for all exchanges when none is chosen', async () => {
    const { stored, codes } = await approvedFor([], ['google', 'verve', 'taboola', 'yandex', '3rdpresence'])
    expect(stored).toMatchObject({ exchange_id: [] })
    expect(codes).toEqual([0, 0, 0, 0, 0])
  })

  // covers CAM-GEN-09 CAM-MOD-10 CAM-MOD-12..15 CAM-MOD-17 ROLE-07
  it('lets an owner reject the reviewed submission with a reason', async () => {
    const { id, moderation_start_at } = await submitted()
    const verdict = { campaign_id: id, moderation_start_at, comment: ' Too loud ' }
    expect((await decide(owner, 'reject', { ...verdict, comment: ' ' })).code).toBe(1301)
    for (const stale of ['2020-01-01T00:00:00Z', 'soon', null])
      expect((await decide(owner, 'reject', { ...verdict, moderation_start_at: stale })).code).toBe(138)
    expect((await decide(owner, 'reject', { ...verdict, campaign_id: undefined })).code).toBe(2)
    expect((await decide(owner, 'approve', { ...verdict, campaign_id: undefined })).code).toBe(2)
    const answer = await decide(owner, 'reject', verdict)
    expect(answer.data.status_key).toBe(2)
    expect(await read(id, answer.data.position)).toMatchObject({ moderator_comment: 'Too loud', status_key: 2 })
  })

  // covers ROLE-01
  it('lets a moderator decide, but not an advertiser', async () => {
    const [one, two] = [await submitted(), await submitted()]
    const of = ({ id, moderation_start_at }: Campaignish) => ({ campaign_id: id, moderation_start_at, comment: 'No' })
    expect((await decide(moderator, 'approve', of(one))).code).toBe(0)
    expect((await decide(moderator, 'reject', of(two))).code).toBe(0)
    const three = await submitted()
    expect((await decide(ada, 'approve', of(three))).code).toBe(3)
  })

  it('lists due times, new submissions and the number of waiting campaigns per account', async () => {
    const bola = await product.as('bola@lagos.example')
    type Queue = { readonly total_size: number; readonly data: readonly Body[] }
    const first = await submitted()
    let latest = await submitted()
    const queue = async (body: Body = {}) => {
      const sent = { page_size: 150, ...body }
      const headers = { 'x-position': latest.position }
      return (await moderator.call<Queue>('POST', '/v1/whitelabel/admin/moderation/queue', sent, headers)).data
    }
    const of = (rows: Queue, id: string) => rows.data.find(({ campaign_id }) => campaign_id === id)

    const all = await queue()
    const starts = all.data.map(({ moderation_start_at }) => String(moderation_start_at))
    expect(all.total_size).toBe(all.data.length)
    expect([first.id, latest.id].map((id) => of(all, id)?.['moderation_start_at'])).toEqual(
      [first, latest].map(({ moderation_start_at }) => moderation_start_at),
    )
    expect(starts).toEqual(starts.toSorted())
    expect(all.data.map(({ due_at }) => due_at)).toEqual(starts.map(reviewDueAt))

    // Ada's account has approved campaigns; this campaign has no approval yet.
    const row = of(all, first.id)
    expect(row).toMatchObject({ first_review: false, re_review: false, currency: 'USD', creatives: 1 })

    const account = await queue({ space_id: row?.['space_id'] })
    const waiting = all.data.filter(({ space_id }) => space_id === row?.['space_id']).length
    expect([account.total_size, row?.['account_waiting']]).toEqual([waiting, waiting])
    expect(account.data.every(({ space_id }) => space_id === row?.['space_id'])).toBe(true)
    expect([of(account, first.id), of(account, latest.id)].every(Boolean)).toBe(true)

    // A decided campaign leaves the queue; a change after an approval returns as a review of a known campaign.
    await decide(moderator, 'approve', { campaign_id: first.id, moderation_start_at: first.moderation_start_at })
    const changed = { id: first.id, product_url: 'https://nile.example/other' }
    latest = (await ada.call('POST', '/v1/campaign/saveAndPublish', changed)).data
    const again = of(await queue(), first.id)
    expect(again).toMatchObject({ re_review: true, account_waiting: row?.['account_waiting'] })

    const { data: stranger } = await bola.call<{ readonly space_id: string }>('GET', '/v1/user/me')
    expect((await queue({ space_id: stranger.space_id })).data.some(({ campaign_id }) => campaign_id === first.id)).toBe(false)
    const nowhere = await moderator.call('POST', '/v1/whitelabel/admin/moderation/queue', { space_id: 'unknown' })
    expect(nowhere.code).toBe(1420)
  })

  // covers CAM-LOG-13..17 CAM-LIST-67 CAM-LIST-69
  it('returns every key of an entry in the change log and the list', async () => {
    const { id, position } = await submitted()
    const renamed = await ada.call('PUT', '/v1/campaign', { id, name: `Renamed ${id}` })
    type Page = { readonly data: readonly Body[] }
    const headers = { 'x-position': renamed.data.position ?? position }
    const log = await owner.call<Page>('GET', `/v1/campaign/revision/snapshot/${id}?page-num=1&page-size=25`, undefined, headers)
    expect(log.data.data[0]).toMatchObject({
      author: 'Ada Hassan',
      commit_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      state_difference: [{ path: 'name', value: `Renamed ${id}` }],
      previous_state: { status_key: 1 },
      current_state: { name: `Renamed ${id}` },
    })
    const list = await ada.call<Page>('POST', '/v1/campaign/list/v2', { name: `Renamed ${id}` })
    const keys = [
      'id',
      'status_key',
      'name',
      'campaign_start_at',
      'campaign_type_key',
      'daily_budget_spent',
      'impressions',
      'clicks',
      'budget_spent',
      'budget_type_key',
      'budget',
      'creative_status',
    ]
    for (const key of keys) expect(list.data.data[0]).toHaveProperty(key)
    expect(list.data.data[0]).toMatchObject({ report_data: { cpa: 0, cvr: 0 } })
  })

  // covers CAM-GEN-11
  it('lists the campaigns of an account for an owner who switched into it', async () => {
    const { data: me } = await ada.call<{ readonly space_id: string }>('GET', '/v1/user/me')
    const fresh = await product.as('owner@dsp.example')
    const switched = await fresh.call<{ readonly access_token: string; readonly space_id: string }>(
      'POST',
      `/v1/user/account/switch/${me.space_id}`,
    )
    expect(switched.data.space_id).toBe(me.space_id)
    const response = await fetch(`${product.base}/v1/campaign/list/v2`, {
      method: 'POST',
      headers: { authorization: `Bearer ${switched.data.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ pageSize: 150 }),
    })
    const { data }: { data: { data: { space_id: string }[] } } = await response.json()
    expect(new Set(data.data.map(({ space_id }) => space_id))).toEqual(new Set([me.space_id]))
  })

  // covers CAM-VAL-07 ERR-15
  it('refuses a budget that is not a number with 2', async () => {
    const { id } = await submitted()
    const answer = await ada.call('PUT', '/v1/campaign', { id, budget: 'abc' })
    expect([answer.code, answer.data.errors[0]?.path]).toEqual([2, 'budget'])
  })

  it('lets an advertiser prepare a campaign that needs nothing but approval', async () => {
    const body = await publishable(product.base, ada)
    expect((await ada.call('POST', '/v1/campaign/saveAndPublish', body)).data.status_key).toBe(1)
  })
})
