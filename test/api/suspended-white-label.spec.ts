import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DELIVERED, deliveryIn } from '../support/delivery.ts'
import { eventually, startTestProduct, type TestProduct } from '../support/product.ts'

describe('campaigns of a suspended white-label', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
  })
  afterAll(() => product.stop())

  it('campaigns of a suspended white-label stop serving at once, say why, and go on after its restore', async () => {
    const { ada, bidder, running, space, status } = await deliveryIn(product)
    const id = await running()
    const admin = await product.as('admin@dsp.example')
    const serving = async () =>
      (await bidder.call<{ campaigns: { id: string }[] }>('GET', '/v1/delivery/campaigns')).data.campaigns.map((one) => one.id)
    expect(await serving()).toContain(id)
    // The demo has one white-label, which cannot be suspended itself: move the account.
    await product.database.pool.query(`update rm_accounts set whitelabel_id = 'ng' where space_id = $1`, [space])
    await product.database.pool.query(`update rm_campaign_list set whitelabel_id = 'ng' where id = $1`, [id])
    expect((await admin.call('POST', '/v1/whitelabel/ng/suspend', { reason: 'unpaid' })).code).toBe(0)
    await eventually(serving, (ids) => !ids.includes(id))
    const { data } = await eventually(
      () => ada.call('GET', `/v1/campaign/${id}`),
      (answer) => answer.data.status_key !== 3,
    )
    expect(data.status_reasons.map(({ key }) => key)).toContain('account_suspended')
    expect((await admin.call('POST', '/v1/whitelabel/ng/restore')).code).toBe(0)
    await status(id, 3)
  })
})
