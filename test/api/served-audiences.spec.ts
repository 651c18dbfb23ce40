import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { SMALLEST_SERVED } from '#domain/audience/audience'
import { servedList, settledAudience, uploadAudience } from '../support/audiences.ts'
import { DELIVERED, deliveryIn, SERVICE } from '../support/delivery.ts'
import { eventually, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

describe('an audience for bidders', () => {
  let product: TestProduct
  let delivery: Awaited<ReturnType<typeof deliveryIn>>
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    delivery = await deliveryIn(product)
  })
  afterAll(() => product.stop())

  async function uploaded(content: string): Promise<string> {
    const { data } = await uploadAudience(product.base, delivery.ada, content, { name: randomUUID() })
    await settledAudience(delivery.ada, data.id)
    return data.id
  }
  const listOf = (count: number) => uploaded(servedList().split('\n').slice(0, count).join('\n'))
  const targeting = (segments: object) => ({
    targeting: { segment_audiences: { includeAny: [], include: [], exclude: [], ...segments } },
  })
  const get = (path: string, headers = {}, token = SERVICE) =>
    fetch(product.base + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
  const read = async (id: string, version = 1) => (await get(`/v1/delivery/audiences/${id}/${version}`)).status
  const becomes = (id: string, status: number) =>
    eventually(
      () => read(id),
      (found) => found === status,
    )
  type Offered = { readonly id: string; readonly audiences: readonly { readonly id: string }[] }
  /** The audiences that a bidder gets with a campaign; null for a campaign that it does not get. */
  async function offered(campaign: string): Promise<readonly string[] | null> {
    const { campaigns } = (await delivery.bidder.call<{ campaigns: readonly Offered[] }>('GET', '/v1/delivery/campaigns')).data
    return campaigns.find(({ id }) => id === campaign)?.audiences.map(({ id }) => id) ?? null
  }
  const reasons = async (campaign: string) => {
    const { data } = await delivery.ada.call<Campaign>('GET', `/v1/campaign/${campaign}`)
    return [data.status_key, ...data.status_reasons.map(({ key }) => key)]
  }
  /** Erasures take members out of a set, and rules change theirs. */
  const holds = (id: string, members: number) =>
    product.database.pool.query('update app.audience_sets set members = $2 where audience_id = $1', [id, members])

  // covers FP-62
  it('an audience is read by bidders only while a campaign that may serve uses it, in the version of the campaign', async () => {
    const [phone, device] = ['2348055512345', randomUUID()]
    const id = await uploaded(servedList(phone, device))
    expect(await read(id)).toBe(404)
    const campaign = await delivery.running(targeting({ include: [id] }))
    await becomes(id, 200)
    expect(await offered(campaign)).toEqual([id])

    const members = await get(`/v1/delivery/audiences/${id}/1`)
    const hashes = Buffer.from(await members.arrayBuffer())
    const { keys } = (await (await get('/v1/delivery/audience-keys')).json()).data
    const key = Buffer.from(keys.find((one: { whitelabel_id: string }) => one.whitelabel_id === 'dsp').key, 'base64')
    const hashOf = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, 16)
    expect(hashes).toHaveLength(SMALLEST_SERVED * 16)
    for (const text of [`phone:${phone}`, `device:${device}`]) expect(hashes.includes(hashOf(text))).toBe(true)
    const known = { 'if-none-match': members.headers.get('etag') ?? '' }
    expect((await get(`/v1/delivery/audiences/${id}/1`, known)).status).toBe(304)
    expect((await get(`/v1/delivery/audiences/${id}/1`, {}, delivery.ada.token)).status).toBe(403)

    // No campaign was approved with the second version.
    await uploadAudience(product.base, delivery.ada, servedList(), { id })
    expect((await settledAudience(delivery.ada, id)).version).toBe(2)
    expect([await read(id, 2), await read(id, 9)]).toEqual([404, 404])
    await delivery.ada.call('POST', '/v1/campaign/pause', campaign)
    await becomes(id, 404)
    expect((await get(`/v1/delivery/audiences/${id}/1`, known)).status).toBe(404)
  })

  it('an uploaded list below 100 members is saved in a draft, and refused where the campaign is published or adds it', async () => {
    const { ada } = delivery
    const small = await listOf(SMALLEST_SERVED - 1)
    const body = await publishable(product.base, ada, { name: randomUUID(), ...targeting({ exclude: [small] }) })
    const draft = await ada.call<Campaign>('POST', '/v1/campaign', body)
    expect(draft.code).toBe(0)
    const fault = [135, [{ path: 'targeting.segment_audiences', code: 135 }]]
    const refused = async (method: 'POST' | 'PUT', path: string, sent: object) => {
      const { code, data } = await ada.call<{ errors: { path: string; code: number }[] }>(method, path, sent)
      expect([code, data.errors.map(({ path: at, code: of }) => ({ path: at, code: of }))], path).toEqual(fault)
    }
    await refused('POST', '/v1/campaign/saveAndPublish', { id: draft.data.id })
    await refused('POST', '/v1/campaign/saveAndPublish', { ...body, name: randomUUID() })
    const approved = await delivery.running()
    await refused('PUT', '/v1/campaign', { id: approved, ...targeting({ includeAny: [small] }) })
    await refused('POST', '/v1/campaign/saveAndPublish', { id: approved, ...targeting({ include: [small] }) })

    await uploadAudience(product.base, ada, servedList(), { id: small })
    await settledAudience(ada, small)
    expect((await ada.call('POST', '/v1/campaign/saveAndPublish', { id: draft.data.id })).code).toBe(0)
  })

  it('an audience that fell below 100 members is no longer served: its campaign keeps it, and says why it reaches no user', async () => {
    const id = await listOf(SMALLEST_SERVED)
    const campaign = await delivery.running(targeting({ includeAny: [id] }))
    await becomes(id, 200)
    await holds(id, SMALLEST_SERVED - 1)
    expect([await read(id), await offered(campaign)]).toEqual([404, []])
    expect(await reasons(campaign)).toEqual([3, 'running', 'audience_small'])
    const kept = await delivery.ada.call('PUT', '/v1/campaign', { id: campaign, budget: 77 })
    expect(kept.code).toBe(0)
    expect((await delivery.ada.call('POST', '/v1/campaign/saveAndPublish', { id: campaign, budget: 78 })).code).toBe(0)
    await holds(id, SMALLEST_SERVED)
    expect([await read(id), await offered(campaign)]).toEqual([200, [id]])
    expect(await reasons(campaign)).toEqual([3, 'running'])
  })

  it('an excluded audience that fell below 100 members takes its campaign away from bidders, with its other audiences', async () => {
    const [excluded, included] = [await listOf(SMALLEST_SERVED), await listOf(SMALLEST_SERVED)]
    const campaign = await delivery.running(targeting({ exclude: [excluded], include: [included] }))
    await becomes(included, 200)
    expect(await offered(campaign)).toEqual([included, excluded])
    await holds(excluded, SMALLEST_SERVED - 1)
    expect([await offered(campaign), await read(excluded), await read(included)]).toEqual([null, 404, 404])
    expect(await reasons(campaign)).toEqual([3, 'running', 'excluded_audience_small'])
  })

  it('an audience for bidders by rules is published at any size', async () => {
    const rules = { condition: 'and', rules: [{ field: 'event_7d', operator: 'is', value: randomUUID() }] }
    const sent = { name: randomUUID(), space_id: delivery.space, rules }
    const { data } = await delivery.ada.call('POST', '/v1/segment-audience/dynamic', sent)
    await settledAudience(delivery.ada, data.id)
    const campaign = await delivery.running(targeting({ include: [data.id] }))
    expect(await reasons(campaign)).toEqual([3, 'running', 'audience_small'])
    expect([await offered(campaign), await read(data.id)]).toEqual([[], 404])
  })
})
