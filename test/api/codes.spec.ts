import { beforeAll, describe, expect, it } from 'vitest'
import { eventually, publishable, sharedProduct, type Campaignish, type Session, type TestProduct } from '../support/product.ts'
import { testClock } from '../support/test-clock.ts'

/**
 * Every code of a campaign state, produced over the API. Codes of single fields are in saving.spec.ts and bad-input.spec.ts.
 */
describe('campaign codes', () => {
  let product: TestProduct
  let ada: Session
  let moderator: Session
  let made = 0
  beforeAll(async () => {
    product = await sharedProduct()
    ;[ada, moderator] = await Promise.all([product.as('ada@nile.example'), product.as('moderator@dsp.example')])
  })

  const draft = async (over: Record<string, unknown> = {}) => {
    made += 1
    const body = await publishable(product.base, ada, { name: `Codes ${made}`, ...over })
    return (await ada.call('POST', '/v1/campaign', body)).data.id
  }
  const act = (call: string, id: string) => ada.call('POST', `/v1/campaign/${call}`, id)
  const publish = (id: string, more: Record<string, unknown> = {}) =>
    ada.call('POST', '/v1/campaign/saveAndPublish', { id, ...more })
  const decide = (verdict: 'approve' | 'reject', id: string, moderation_start_at: unknown) =>
    moderator.call('POST', `/v1/whitelabel/admin/campaign/${verdict}`, { campaign_id: id, moderation_start_at, comment: 'No.' })
  const approved = async (over: Record<string, unknown> = {}) => {
    const id = await draft(over)
    const { data } = await publish(id)
    expect((await decide('approve', id, data.moderation_start_at)).code).toBe(0)
    return id
  }

  // covers CAM-ERR-30
  it('code 130 is for an unknown campaign', async () => {
    expect((await ada.call('GET', '/v1/campaign/unknown')).code).toBe(130)
    expect((await ada.call('PUT', '/v1/campaign', { id: 'unknown', name: 'x' })).code).toBe(130)
  })

  // covers CAM-ERR-33
  it('code 133 is for an unknown status in a filter', async () => {
    const answer = await ada.call('POST', '/v1/campaign/list/v2', { page: 0, page_size: 10, status_filter: 99 })
    expect([answer.status, answer.code, answer.message]).toEqual([400, 133, 'Status is not supported'])
  })

  // covers CAM-ERR-34
  it('code 134 is for an action that the status does not allow', async () => {
    const id = await draft()
    expect((await act('pause', id)).code).toBe(134)
    await publish(id)
    expect((await act('run', id)).code).toBe(134)
    await act('archive/toggle', id)
    expect((await ada.call('PUT', '/v1/campaign', { id, budget: 60 })).code).toBe(134)
  })

  // covers CAM-ERR-36
  it('code 136 is for a decision without a pending review', async () => {
    const id = await approved()
    expect((await decide('approve', id, testClock.at())).code).toBe(136)
  })

  // covers CAM-ERR-37
  it('code 137 is for running or archiving a campaign that was never approved', async () => {
    const id = await draft()
    expect((await act('run', id)).code).toBe(137)
    await act('archive/toggle', id)
    expect((await act('run', id)).code).toBe(137)
  })

  // covers CAM-ERR-38
  it('code 138 is for a submission that changed while in moderation', async () => {
    const id = await draft()
    const first = await publish(id)
    const second = await ada.call('PUT', '/v1/campaign', { id, product_url: 'https://nile.example/other' })
    expect(second.data.moderation_start_at).not.toBe(first.data.moderation_start_at)
    expect((await decide('approve', id, first.data.moderation_start_at)).code).toBe(138)
    expect((await decide('approve', id, second.data.moderation_start_at)).code).toBe(0)
  })

  // covers CAM-ERR-39 FP-9
  it('code 139 is for no change since the rejection', async () => {
    const id = await draft()
    const { data } = await publish(id)
    expect((await decide('reject', id, data.moderation_start_at)).code).toBe(0)
    expect((await publish(id)).code).toBe(139)
    expect((await publish(id, { product_url: 'https://nile.example/better' })).code).toBe(0)
  })

  it('code 140 is for a save that another one preceded', async () => {
    const id = await draft()
    await ada.call('PUT', '/v1/campaign', { id, budget: 60 })
    expect((await ada.call('PUT', '/v1/campaign', { id, budget: 70, revision: 1 })).code).toBe(140)
  })

  // covers CAM-ERR-45
  it('code 1306 is for another start date of a started campaign', async () => {
    const id = await approved()
    await eventually(
      () => ada.call<Campaignish>('GET', `/v1/campaign/${id}`),
      ({ data }) => data.status_key === 3,
    )
    const later = testClock.day(5)
    expect((await ada.call('PUT', '/v1/campaign', { id, campaign_start_at: later })).code).toBe(1306)
  })

  // covers CAM-ERR-49
  it('code 1310 is for another app than the approved one', async () => {
    const app_promotion = { app_platform_type: 'android', bundle_id: 'com.whatsapp', mmp: 'adjust' }
    const strategy = { type: 'consideration', goal: 'APP_INSTALLS', app_promotion }
    const id = await approved({ bidding_strategy: strategy })
    const changed = { ...strategy, app_promotion: { ...app_promotion, bundle_id: 'com.viber.voip' } }
    expect((await ada.call('PUT', '/v1/campaign', { id, bidding_strategy: changed })).code).toBe(1310)
  })
})
