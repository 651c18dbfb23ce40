import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { DELIVERED, deliveryIn, hour, SERVICE, type Row } from '../support/delivery.ts'
import { outboxOf, recipientOf } from '../support/mails.ts'
import { publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { testClock } from '../support/test-clock.ts'

type Funds = {
  readonly balance: number
  readonly available: number
  readonly spent_today: number
  readonly runway_days: number | null
  readonly notices: readonly string[]
}
type Ledger = {
  readonly total_size: number
  readonly data: readonly {
    readonly type: string
    readonly amount: number
    readonly balance_after: number
    readonly cause: string
  }[]
}

describe('delivery', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let moderator: Session
  let bidder: Session
  let space = ''

  let running: Awaited<ReturnType<typeof deliveryIn>>['running']
  let send: Awaited<ReturnType<typeof deliveryIn>>['send']
  let status: Awaited<ReturnType<typeof deliveryIn>>['status']

  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    owner = await product.as('owner@dsp.example')
    moderator = await product.as('moderator@dsp.example')
    ;({ ada, bidder, running, send, space, status } = await deliveryIn(product))
  })
  afterAll(() => product.stop())

  const funds = async (of = space) => (await owner.call<Funds>('GET', `/v1/space/balance/${of}`)).data
  const ledger = async (body: Row = {}) => (await owner.call<Ledger>('POST', `/v1/space/${space}/ledger`, body)).data
  const total = async (id: string) => (await ada.call<Record<string, number>>('GET', `/v1/campaign/${id}/total`)).data

  it('offers running campaigns to bidders in their approved version, and answers 304 while nothing changed', async () => {
    const id = await running({ budget: 50 })
    const answer = await bidder.call<{ campaigns: readonly { id: string; budget_left: number; creatives: Row; content: Row }[] }>(
      'GET',
      '/v1/delivery/campaigns',
    )
    const found = answer.data.campaigns.find((campaign) => campaign.id === id)
    expect(found).toMatchObject({ budget_left: 50, content: { name: expect.stringContaining('Delivered') } })
    expect(Object.keys(found?.creatives ?? {})).toContain('google')
    const again = await fetch(`${product.base}/v1/delivery/campaigns`, {
      headers: { authorization: `Bearer ${SERVICE}`, 'if-none-match': answer.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
    await ada.call('POST', '/v1/campaign/pause', id)
    await expect
      .poll(async () => {
        const { data } = await bidder.call<{ campaigns: readonly { id: string }[] }>('GET', '/v1/delivery/campaigns')
        return data.campaigns.some((campaign) => campaign.id === id)
      })
      .toBe(false)
  })

  it('goes on offering the approved address after another one was saved', async () => {
    const id = await running()
    await ada.call('PUT', '/v1/campaign', { id, product_url: 'https://other.example/' })
    const { data } = await bidder.call<{ campaigns: readonly { id: string; content: Row }[] }>('GET', '/v1/delivery/campaigns')
    expect(data.campaigns.find((campaign) => campaign.id === id)?.content['product_url']).not.toBe('https://other.example/')
  })

  it('counts a batch once, however often and however many at once it is sent', async () => {
    const id = await running({ budget: 100 })
    const batch = newId()
    const rows = [{ hour: hour(), campaign_id: id, impressions: 1000, clicks: 10, spent: 1.5, exchange: 'google' }]
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(batch, rows)))
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(answers.filter(({ data }) => !data.repeated)).toHaveLength(1)
    expect(await total(id)).toMatchObject({
      current_period_impressions: 1000,
      current_period_clicks: 10,
      current_period_spent: 1.5,
    })
  })

  // covers CAM-API-13 CAM-API-14
  it('moves the metrics of the list by the days that it asks for', async () => {
    const name = `Listed ${newId()}`
    const id = await running({ name, budget: 100 })
    await send(newId(), [{ hour: hour(), campaign_id: id, impressions: 400, clicks: 4, spent: 0.5 }])
    const { day } = testClock
    const figures = async (range: Row) => {
      const body = { name, included_metrics: ['impressions', 'clicks', 'spent'], ...range }
      const { data } = await ada.call<{ data: readonly Row[] }>('POST', '/v1/campaign/list/v2', body)
      return [data.data[0]?.['impressions'], data.data[0]?.['clicks'], data.data[0]?.['spent']]
    }
    expect(await figures({ from_date: day(-2), to_date: day(2) })).toEqual([400, 4, 0.5])
    // Two days away, so that the zone of the campaign does not matter.
    expect(await figures({ from_date: day(2), to_date: day(4) })).toEqual([0, 0, 0])
    expect(await figures({ from_date: day(-4), to_date: day(-2) })).toEqual([0, 0, 0])
  })

  // covers CAM-API-26
  it('shows the unique conversions of a bid in the list of all accounts', async () => {
    const name = `Converted ${newId()}`
    const id = await running({ name, budget: 100 })
    const row = { impressions: 400, clicks: 4, conversions: 3, conversions_unique_bid: 2 }
    expect((await send(newId(), [{ hour: hour(), campaign_id: id, ...row }])).code).toBe(0)
    const body = { name, included_metrics: ['conversions', 'conversions_unique_bid'] }
    const { data } = await owner.call<{ data: readonly Row[] }>('POST', '/v1/campaign/admin/list', body)
    expect(data.data).toMatchObject([{ id, conversions: 3, conversions_unique_bid: 2 }])
  })

  it('refuses a batch id that is used with other rows', async () => {
    const id = await running()
    const batch = newId()
    await send(batch, [{ hour: hour(), campaign_id: id, impressions: 1 }])
    expect(await send(batch, [{ hour: hour(), campaign_id: id, impressions: 2 }])).toMatchObject({ status: 409, code: 141 })
  })

  // covers FP-31
  it('refuses a batch whole and names each wrong row', async () => {
    const id = await running()
    const draft = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, { name: `Draft ${newId()}` })))
      .data.id
    const refused = await send(newId(), [
      { hour: hour(), campaign_id: id, impressions: 1 },
      { hour: hour(), campaign_id: draft, impressions: 1 },
      { hour: hour(-1), campaign_id: id, impressions: 1 },
    ])
    expect(refused).toMatchObject({ status: 400, code: 2 })
    expect(refused.data.errors.map(({ path }) => path)).toEqual(['rows[1].campaign_id', 'rows[2].hour'])
    const fields = await send(newId(), [
      { hour: '2026-11-23T10:30:00Z', campaign_id: id, spent: -1, device_type_key: 7, exchange: 'nowhere', clicks: 1 },
    ])
    expect(fields.data.errors.map(({ path }) => path)).toEqual(
      ['hour', 'spent', 'device_type_key', 'exchange', 'clicks'].map((field) => `rows[0].${field}`),
    )
    expect(await total(id)).toMatchObject({ current_period_impressions: 0 })
  })

  // covers FP-12
  it('charges no more than the day budget, reaches status 31, and stops offering the campaign', async () => {
    const id = await running({ budget: 10 })
    const before = await funds()
    await send(newId(), [{ hour: hour(), campaign_id: id, impressions: 5000, spent: 9.75 }])
    await send(newId(), [{ hour: hour(), campaign_id: id, impressions: 5000, spent: 9.75 }])
    await status(id, 31)
    expect(await total(id)).toMatchObject({ current_period_impressions: 10_000, current_period_spent: 10 })
    expect((await funds()).balance).toBeCloseTo(before.balance - 10, 6)
    await ada.call('PUT', '/v1/campaign', { id, budget: 30 })
    await status(id, 3)
  })

  it('an account at exactly 0 after spend is used up: its campaign stops, and one notice and one mail say so', async () => {
    const credit = async (amount: number) => owner.call('POST', `/v1/space/${space}/credit`, { amount, comment: 'test' })
    const emptied = async () => {
      const { rows } = await product.database.pool.query<{ readonly n: number }>(
        `select count(*)::int as n from es.events where stream_id = $1 and type = 'BalanceNoticesChanged' and data::jsonb -> 'notices' ? 'empty'`,
        [`account-${space}`],
      )
      return rows[0]?.n ?? 0
    }
    const mails = async () =>
      (await outboxOf(product.dataDir)).filter(
        (mail) => mail.subject === 'Placard: Your balance is used up' && recipientOf(mail) === 'ada@nile.example',
      ).length
    const [id, balance, notices, sent] = [await running({ budget: 50 }), (await funds()).balance, await emptied(), await mails()]
    await credit(7.25 - balance)
    await send(newId(), [{ hour: hour(), campaign_id: id, impressions: 100, spent: 7.25 }])
    await status(id, 44)
    await expect.poll(funds).toMatchObject({ balance: 0, available: 0, notices: expect.arrayContaining(['empty']) })
    await expect.poll(mails).toBe(sent + 1)
    // Spend that was under way is noticed no second time.
    await send(newId(), [{ hour: hour(), campaign_id: id, impressions: 100, spent: 1.5 }])
    await expect.poll(async () => (await funds()).balance).toBeLessThan(0)
    expect([await emptied(), await mails()]).toEqual([notices + 1, sent + 1])
    await credit(balance)
    await expect.poll(async () => (await funds()).notices).toEqual([])
  })

  // covers FP-12
  it('ends a campaign with a total budget at 42', async () => {
    const id = await running({ budget: 12, budget_type_key: 1 })
    await send(newId(), [{ hour: hour(), campaign_id: id, impressions: 100, spent: 20 }])
    await status(id, 42)
    expect(await total(id)).toMatchObject({ current_period_spent: 12 })
    await ada.call('PUT', '/v1/campaign', { id, budget: 40 })
    await status(id, 3)
  })

  it('records each settlement in the ledger once, with its batches, and the balance is the sum of its movements', async () => {
    const id = await running({ budget: 200 })
    const before = await ledger()
    await Promise.all([1, 2, 3].map((spent) => send(newId(), [{ hour: hour(), campaign_id: id, impressions: 10, spent }])))
    await expect
      .poll(async () => {
        const { data } = await ledger({ page_size: 150 })
        return data.reduce((sum, { amount }) => sum + Math.round(amount * 1e6), 0)
      })
      .toBe(Math.round((await funds()).balance * 1e6))
    const after = await ledger({ type: 'spend', page_size: 150 })
    expect(after.data[0]).toMatchObject({ type: 'spend', cause: expect.stringMatching(/^settlement \d+$/) })
    expect((await ledger()).total_size).toBeGreaterThan(before.total_size)
  })

  // covers FP-59
  it('credits an account by hand with a comment, and corrects with a negative amount', async () => {
    const before = await funds()
    expect(await owner.call('POST', `/v1/space/${space}/credit`, { amount: 5 })).toMatchObject({ code: 1301 })
    expect(await ada.call('POST', `/v1/space/${space}/credit`, { amount: 5, comment: 'mine' })).toMatchObject({
      status: 403,
      code: 3,
    })
    expect(
      await owner.call('POST', `/v1/space/${newId()}/credit`, { amount: 5, comment: 'to an unknown account' }),
    ).toMatchObject({
      code: 110,
    })
    expect(await owner.call('POST', `/v1/space/${space}/credit`, { amount: 25.5, comment: 'bank transfer' })).toMatchObject({
      code: 0,
    })
    expect(await owner.call('POST', `/v1/space/${space}/credit`, { amount: -0.5, comment: 'a slip' })).toMatchObject({ code: 0 })
    expect((await funds()).balance).toBeCloseTo(before.balance + 25, 6)
    const { data } = await ledger({ page_size: 2 })
    expect(data.map(({ type, amount, cause }) => [type, amount, cause])).toEqual([
      ['correction', -0.5, 'a slip'],
      ['credit', 25.5, 'bank transfer'],
    ])
  })

  it('stops a campaign whose account runs out of money, and lets it go on after a credit', async () => {
    const id = await running({ budget: 50 })
    const { available } = await funds()
    await owner.call('POST', `/v1/space/${space}/credit`, { amount: 40 - available, comment: 'leave 40' })
    await status(id, 44)
    const stopped = (await ada.call('GET', `/v1/campaign/${id}`)).data
    expect(stopped.status_reasons[0]).toMatchObject({ key: 'funding_short', remedy: 'top_up' })
    await owner.call('POST', `/v1/space/${space}/credit`, { amount: 5000, comment: 'refill' })
    await status(id, 3)
  })

  it('delivery is for bidders alone', async () => {
    for (const session of [ada, owner, moderator]) {
      expect((await session.call('GET', '/v1/delivery/campaigns')).status).toBe(403)
      expect((await session.call('POST', '/v1/delivery/batches', { batch_id: 'x', rows: [] })).status).toBe(403)
    }
  })
})
