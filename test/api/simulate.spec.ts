import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMarkets } from '#api/simulator/markets'
import { createProductClient } from '#api/simulator/product-client'
import { simulate, type Round } from '#api/simulator/simulate'
import { newId } from '#platform/ids'
import { DELIVERED, deliveryIn, SERVICE } from '../support/delivery.ts'
import { eventually, publishable, startTestProduct, type TestProduct } from '../support/product.ts'
import { testClock } from '../support/test-clock.ts'

const marketOf = createMarkets({ cities: async () => null, apps: [] })

describe('the simulator', () => {
  let product: TestProduct
  let delivery: Awaited<ReturnType<typeof deliveryIn>>
  let id = ''
  beforeAll(async () => {
    product = await startTestProduct({ ...DELIVERED, PLACARD_EXCHANGE_REVIEW: 'external' })
    delivery = await deliveryIn(product)
  })
  afterAll(() => product.stop())

  /** Plays until a round fulfils the condition. */
  async function playUntil(done: (rounds: readonly Round[]) => boolean, rate = 300) {
    const rounds: Round[] = []
    const leaving = new AbortController()
    const ended = simulate({
      client: createProductClient(product.base, SERVICE, leaving.signal),
      marketOf,
      seed: 'test',
      rate,
      speed: 10,
      everyMs: 300,
      forMs: 60_000,
      playsExchanges: true,
      run: newId(),
      signal: leaving.signal,
      report: (round) => {
        rounds.push(round)
        if (done(rounds)) leaving.abort()
      },
    }).catch((error: unknown) => {
      if (!leaving.signal.aborted) throw error
    })
    await ended
    return rounds
  }
  const total = async (id: string) => (await delivery.ada.call<Record<string, number>>('GET', `/v1/campaign/${id}/total`)).data
  const sum = (rounds: readonly Round[], key: 'impressions' | 'clicks') => rounds.reduce((all, round) => all + round[key], 0)

  it('decides on creatives, delivers, and agrees with every figure of the product', async () => {
    const { ada, space, status } = delivery
    const moderator = await product.as('moderator@dsp.example')
    const content = await publishable(product.base, ada, { name: `Simulated ${newId()}`, budget: 100_000 })
    id = (await ada.call('POST', '/v1/campaign/saveAndPublish', content)).data.id
    const { moderation_start_at } = (await ada.call('GET', `/v1/campaign/${id}`)).data
    await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', { campaign_id: id, moderation_start_at })
    expect((await ada.call('GET', `/v1/campaign/${id}`)).data.status_key).not.toBe(3)
    const owner = await product.as('owner@dsp.example')
    await owner.call('POST', `/v1/space/${space}/credit`, { amount: 200_000, comment: 'test' })
    // Campaigns of the demo deliver before the exchanges have decided on this one.
    let isServed = false
    const served = eventually(
      () => total(id),
      (figures) => (figures['current_period_impressions'] ?? 0) > 0,
    ).then(() => {
      isServed = true
    })
    const rounds = await playUntil(() => isServed)
    await served
    await status(id, 3)
    expect(rounds.reduce((all, { verdicts }) => all + verdicts, 0)).toBeGreaterThan(0)
    const spent = rounds.reduce((all, round) => all + (round.spent.get('USD') ?? 0), 0)
    const delivered = async () => {
      const { rows } = await product.database.pool.query<{ impressions: number; clicks: number }>(
        `select sum(impressions)::int as impressions, coalesce(sum(clicks), 0)::int as clicks from facts.rows`,
      )
      return rows[0]
    }
    await eventually(delivered, (found) => found?.impressions === sum(rounds, 'impressions'))
    expect((await delivered())?.clicks).toBe(sum(rounds, 'clicks'))
    const today = { from_date: testClock.now(), to_date: testClock.now(), granularity_type_key: 2, included_metrics: ['spent'] }
    const report = await ada.call<{ totals: { spent: number } }>('POST', '/v1/reports/total', today)
    expect(report.data.totals.spent).toBeCloseTo(spent, 6)
  })

  it('stops delivering for a campaign that is paused', async () => {
    const { ada } = delivery
    await ada.call('POST', '/v1/campaign/pause', id)
    const before = await total(id)
    await playUntil((played) => played.length > 2)
    expect(await total(id)).toMatchObject({ current_period_impressions: before['current_period_impressions'] })
  })
})
