import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

describe('a large save', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct()
  })
  afterAll(() => product.stop())

  // covers FP-26
  it('a large save of nearly a megabyte is refused with 413 at the body, and nothing is stored', async () => {
    const ada = await product.as('ada@nile.example')
    const content = await publishable(product.base, ada)
    const [banner] = content.visuals.banners
    // As many and as long texts as lists may hold. An event holds the texts before and after.
    const large = (mark: string) => {
      const apps = Array.from({ length: 2000 }, (_, i) => `${mark}.example/${String(i).padEnd(87, 'x')}`)
      const banners = Array.from({ length: 1000 }, (_, i) => ({ ...banner, creative_name: `${mark}${i}`.padEnd(75, 'x') }))
      return { placement: { excluded_apps: apps, included_apps: apps }, visuals: { banners } }
    }
    const { data } = await ada.call('POST', '/v1/campaign', { ...content, ...large('a') })
    const body = { id: data.id, ...large('b') }
    expect(JSON.stringify(body).length).toBeLessThan(1024 * 1024)
    for (const query of ['', '?dry_run=true']) {
      const answer = await ada.call('PUT', `/v1/campaign${query}`, body)
      expect(answer).toMatchObject({ status: 413, code: 2 })
      expect(answer.data.errors).toEqual([{ path: 'body', code: 2, message: expect.stringMatching(/too large/) }])
    }
    expect((await ada.call('GET', `/v1/campaign/${data.id}`)).data.revision).toBe(data.revision)
    // The stream goes on.
    expect((await ada.call('PUT', '/v1/campaign', { id: data.id, budget: 75 })).code).toBe(0)
  })

  it('a large save below the limit is stored, and what policies record of it is stored too', async () => {
    const ada = await product.as('ada@nile.example')
    const moderator = await product.as('moderator@dsp.example')
    const body = await publishable(product.base, ada)
    const [banner] = body.visuals.banners
    const many = Array.from({ length: 1000 }, (_, i) => ({ ...banner, creative_name: String(i).padEnd(75, 'x') }))
    const { data, code } = await ada.call('POST', '/v1/campaign', { ...body, visuals: { banners: many } })
    expect(code).toBe(0)
    expect((await ada.call('POST', '/v1/campaign/saveAndPublish', { id: data.id })).code).toBe(0)
    const pending = await ada.call('GET', `/v1/campaign/${data.id}`)
    const approval = { campaign_id: data.id, moderation_start_at: pending.data.moderation_start_at }
    expect((await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', approval)).code).toBe(0)
    await eventually(
      () => ada.call('GET', `/v1/campaign/${data.id}`),
      (answer) => answer.data.status_key === 3,
    )
  })
})
