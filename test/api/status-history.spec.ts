import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Change = {
  readonly revision: number
  readonly at: string
  readonly status_key: number
  readonly previous_status_key: number | null
  readonly reasons: readonly string[]
  readonly ended: readonly string[]
  readonly cause: string
  readonly actor: string
}
type History = { readonly total_size: number; readonly current_page: number; readonly data: readonly Change[] }

describe('the status history', () => {
  let product: TestProduct
  let delivery: Awaited<ReturnType<typeof deliveryIn>>
  let ada: Session
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    delivery = await deliveryIn(product)
    ;({ ada } = delivery)
  })
  afterAll(() => product.stop())

  const history = async (id: string, query = '', as = ada) => as.call<History>('GET', `/v1/campaign/${id}/status-history${query}`)

  // covers FP-28
  it('tells the life of a campaign, newest first, with what began, what ended and its author', async () => {
    const id = await delivery.running({ budget: 10 })
    await ada.call('POST', '/v1/campaign/pause', id)
    await ada.call('POST', '/v1/campaign/run', id)
    await delivery.send(newId(), [{ hour: hour(), campaign_id: id, impressions: 100, spent: 12 }])
    await delivery.status(id, 31)
    await ada.call('PUT', '/v1/campaign', { id, budget: 30 })
    await delivery.status(id, 3)
    const { data } = (await history(id, '?page_size=100')).data
    expect(data.map(({ status_key }) => status_key)).toEqual([3, 31, 3, 41, 3, 6, 1])
    expect(data.map(({ previous_status_key: before }) => before)).toEqual([31, 3, 41, 3, 6, 1, null])
    expect(data.map(({ reasons: [first] }) => first)).toEqual([
      'running',
      'day_budget_reached',
      'running',
      'paused',
      'running',
      'waiting_for_ad_exchange',
      'in_moderation',
    ])
    expect(data[0]?.ended).toEqual(['day_budget_reached'])
    const [, reached, , paused, , approved] = data
    expect([paused?.actor, approved?.actor, reached?.actor]).toEqual(['Ada Hassan', 'Moderator', 'Platform'])
    expect(data.map(({ revision }) => revision)).toEqual(data.map(({ revision }) => revision).toSorted((a, b) => b - a))
  })

  it('agrees with the present status, and its revisions are those of the change log', async () => {
    const id = await delivery.running()
    await ada.call('POST', '/v1/campaign/pause', id)
    const campaign = (await ada.call('GET', `/v1/campaign/${id}`)).data
    const owner = await product.as('owner@dsp.example')
    const { data } = (await history(id, '', owner)).data
    expect(data[0]).toMatchObject({ status_key: campaign.status_key, revision: campaign.revision, actor: 'Ada Hassan' })
    expect(data[0]?.reasons).toEqual(campaign.status_reasons.map(({ key }) => key))
    expect(data.find(({ status_key }) => status_key === 6)?.actor).toBe('Marek Novak')
  })

  it('leaves out saves that changed no status, and comes in pages', async () => {
    const id = await delivery.running()
    const before = (await history(id)).data.total_size
    await ada.call('PUT', '/v1/campaign', { id, budget: 77 })
    await ada.call('POST', '/v1/campaign/pause', id)
    const all = (await history(id)).data
    expect(all.total_size).toBe(before + 1)
    const pages = await Promise.all(Array.from({ length: before + 1 }, (_, page) => history(id, `?page=${page}&page_size=1`)))
    expect(pages.flatMap(({ data: { data } }) => data)).toEqual(all.data)
    expect((await history(id, '?page=1000')).data.data).toEqual([])
  })

  it('refuses pages beyond the limits, and campaigns out of reach', async () => {
    const id = await delivery.running()
    for (const query of ['?page=-1', '?page_size=0', '?page_size=101', '?page=x', '?page=1.5'])
      expect([query, (await history(id, query)).code]).toEqual([query, 2])
    expect(await history(id, '', await product.as('bola@lagos.example'))).toMatchObject({ status: 404, code: 130 })
    expect(await history(newId())).toMatchObject({ status: 404, code: 130 })
  })
})
