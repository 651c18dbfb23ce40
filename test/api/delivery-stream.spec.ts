import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { servedList, settledAudience, uploadAudience } from '../support/audiences.ts'
import { DELIVERED, deliveryIn, hour, SERVICE } from '../support/delivery.ts'
import { listen } from '../support/event-stream.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'

type Change = {
  readonly campaigns: readonly { readonly id: string; readonly budget_left: number }[]
  readonly stopped: readonly string[]
}

describe('the stream of what may serve', () => {
  let product: TestProduct
  let delivery: Awaited<ReturnType<typeof deliveryIn>>
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    delivery = await deliveryIn(product)
  })
  afterAll(() => product.stop())

  /** The changes of one campaign, in order, and when each arrived, milliseconds. */
  async function changesOf(token = SERVICE) {
    const stream = await listen(product.base, { token }, '/v1/delivery/stream')
    expect((await stream.next()).event).toBe('ready')
    const seen: (Change & { readonly at: number })[] = []
    void (async () => {
      for (;;) {
        const { event, data } = await stream.next()
        if (event === 'campaigns') seen.push({ ...(JSON.parse(data) as Change), at: Date.now() })
      }
    })()
    return {
      ...stream,
      next: (id: string, matches: (change: Change) => boolean, since = 0) =>
        expect
          .poll(() => seen.find((change) => change.at >= since && concerns(change, id) && matches(change)))
          .toBeDefined()
          .then(() => seen.find((change) => change.at >= since && concerns(change, id) && matches(change))),
      seen,
    }
  }
  const concerns = (change: Change, id: string) =>
    change.campaigns.some((campaign) => campaign.id === id) || change.stopped.includes(id)
  const left = (change: Change, id: string) => change.campaigns.find((campaign) => campaign.id === id)?.budget_left

  it('reports a campaign that runs, what is left after each delivery, and its pause, each within a second', async () => {
    const stream = await changesOf()
    const id = await delivery.running({ budget: 50 })
    await stream.next(id, (change) => left(change, id) === 50)
    const delivered = Date.now()
    await delivery.send(newId(), [{ hour: hour(), campaign_id: id, impressions: 100, spent: 8 }])
    const spent = await stream.next(id, (change) => left(change, id) === 42)
    const pausing = Date.now()
    await delivery.ada.call('POST', '/v1/campaign/pause', id)
    const paused = await stream.next(id, (change) => change.stopped.includes(id), pausing)
    // A second by the clock, and a busy machine's share.
    expect([(spent?.at ?? Infinity) - delivered, (paused?.at ?? Infinity) - pausing].map((took) => took < 2500)).toEqual([
      true,
      true,
    ])
    stream.end()
  })

  it('the stream and the list leave out a campaign whose excluded audience is missing, and keep one whose included is', async () => {
    const { ada, bidder } = delivery
    const { data } = await uploadAudience(product.base, ada, servedList(), { name: `Stream ${newId()}` })
    await settledAudience(ada, data.id)
    const naming = (segments: object) =>
      delivery.running({ targeting: { segment_audiences: { includeAny: [], include: [], exclude: [], ...segments } } })
    const excluding = await naming({ exclude: [data.id] })
    const including = await naming({ include: [data.id] })
    const offered = async () => {
      const { data: list } = await bidder.call<Change>('GET', '/v1/delivery/campaigns')
      return [excluding, including].map((id) => list.campaigns.some((campaign) => campaign.id === id))
    }
    expect(await offered()).toEqual([true, true])
    const stream = await changesOf()
    const { rows } = await product.database.pool.query('select * from app.audience_sets where audience_id = $1', [data.id])
    await product.database.pool.query('delete from app.audience_sets where audience_id = $1', [data.id])
    for (const id of [excluding, including]) await ada.call('PUT', '/v1/campaign', { id, name: `Missing ${newId()}` })
    await stream.next(excluding, (change) => change.stopped.includes(excluding))
    await stream.next(including, (change) => left(change, including) !== undefined)
    expect(stream.seen.some((change) => change.stopped.includes(including))).toBe(false)
    expect(stream.seen.some((change) => left(change, excluding) !== undefined)).toBe(false)
    expect(await offered()).toEqual([false, true])

    await product.database.pool.query(
      'insert into app.audience_sets select * from json_populate_recordset(null::app.audience_sets, $1)',
      [JSON.stringify(rows)],
    )
    const back = Date.now()
    await ada.call('PUT', '/v1/campaign', { id: excluding, name: `Back ${newId()}` })
    await stream.next(excluding, (change) => left(change, excluding) !== undefined, back)
    expect(await offered()).toEqual([true, true])
    stream.end()
  })

  it('reports nothing while nothing changes', async () => {
    const id = await delivery.running({ budget: 20 })
    const stream = await changesOf()
    await delay(1500)
    expect(stream.seen.filter((change) => concerns(change, id))).toEqual([])
    stream.end()
  })

  it('the stream of what may serve is for bidders alone, and ends when the credential is revoked', async () => {
    const owner = await product.as('owner@dsp.example')
    const made = async (body: object) =>
      (await owner.call<{ readonly id: string; readonly secret: string }>('POST', '/v1/service-credential', body)).data
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    const exchange = await made({ name: 'Exchange', kind: 'exchange', exchange: 'google', expires_at })
    const bidder = await made({ name: 'Bidder', kind: 'bidder', expires_at })
    const statusOf = async (token: string) => {
      const { response, end } = await listen(product.base, { token }, '/v1/delivery/stream')
      end()
      return response.status
    }
    expect([await statusOf(delivery.ada.token), await statusOf(exchange.secret), await statusOf('nobody')]).toEqual([
      403, 403, 401,
    ])
    const stream = await listen(product.base, { token: bidder.secret }, '/v1/delivery/stream')
    expect((await stream.next()).event).toBe('ready')
    await owner.call('DELETE', `/v1/service-credential/${bidder.id}`)
    await stream.over
  })
})

describe('the stream of open pages', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
  })
  afterAll(() => product.stop())

  it('reports delivered figures to those who may read the campaign, and to no others', async () => {
    const delivery = await deliveryIn(product)
    const id = await delivery.running()
    const [own, other] = await Promise.all(
      [delivery.ada, await product.as('bola@lagos.example')].map((one) => listen(product.base, one)),
    )
    for (const stream of [own, other]) expect((await stream?.next())?.event).toBe('ready')
    await delivery.send(newId(), [{ hour: hour(), campaign_id: id, impressions: 100, spent: 0.1 }])
    const figures = async () => {
      for (;;) {
        const message = await own?.next()
        if (message?.event === 'figures') return message.data
      }
    }
    expect(JSON.parse(await figures())).toEqual({ ids: [id] })
    await delay(1000)
    expect(other?.messages.filter(({ event }) => event === 'figures')).toEqual([])
    for (const stream of [own, other]) stream?.end()
  })
})
