import { beforeAll, describe, expect, it } from 'vitest'
import { publishable, sharedProduct, type Session, type TestProduct } from '../support/product.ts'

describe('figures of a campaign', () => {
  let product: TestProduct
  let ada: Session
  let bola: Session
  let owner: Session
  let id = ''
  beforeAll(async () => {
    product = await sharedProduct('external')
    ;[ada, bola, owner] = await Promise.all([
      product.as('ada@nile.example'),
      product.as('bola@lagos.example'),
      product.as('owner@dsp.example'),
    ])
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).data.id
  })

  // covers CAM-API-05 CAM-REP-12
  it('figures of a campaign include three all-time figures for everyone who may read the campaign', async () => {
    const { data } = await ada.call('GET', `/v1/campaign/${id}/total`)
    expect(data).toEqual({
      current_period_clicks: 0,
      current_period_impressions: 0,
      current_period_spent: 0,
      currency: 'USD',
      as_of: expect.any(String),
      complete_through: expect.any(String),
    })
    expect((await bola.call('GET', `/v1/campaign/${id}/total`)).code).toBe(130)
  })

  // covers CAM-API-37
  it('figures of a campaign include the highest margin of a user as a number, for roles that may read owner fields', async () => {
    const me = await ada.call<{ readonly id: string }>('GET', '/v1/user/me')
    expect((await owner.call('GET', `/v1/campaign/max-margin?user-id=${me.data.id}`)).data).toBe(50)
    expect((await owner.call('GET', '/v1/campaign/max-margin?user-id=unknown')).code).toBe(6)
    expect((await owner.call('GET', '/v1/campaign/max-margin')).code).toBe(2)
    expect((await ada.call('GET', `/v1/campaign/max-margin?user-id=${me.data.id}`)).status).toBe(403)
  })

  const spots = (by: Session, query: string) =>
    by.call<{ readonly spot: number }>('GET', `/v1/rewarded/ad/spot/calculator?${query}`)

  // covers CAM-EST-02 CAM-EST-19
  it('figures of a campaign include the price of spots in the currency of the account of the campaign', async () => {
    expect((await spots(ada, `campaign_id=${id}&cpm_multiplier=1&daily_budget=10`)).data.spot).toBe(100)
    expect((await spots(ada, `campaign_id=${id}&cpm_multiplier=2.5&daily_budget=10`)).data.spot).toBe(40)
    expect((await spots(bola, 'cpm_multiplier=1&daily_budget=260')).data.spot).toBe(2)
    // An empty campaign is none.
    expect((await spots(bola, 'campaign_id=&cpm_multiplier=1&daily_budget=260')).data.spot).toBe(2)
    expect((await spots(ada, 'campaign_id=unknown&cpm_multiplier=1&daily_budget=10')).code).toBe(130)
    expect((await spots(owner, `campaign_id=${id}&cpm_multiplier=1&daily_budget=0.3`)).data.spot).toBe(3)
  })

  // covers CAM-ERR-09
  it('figures of a campaign say "Failed to get CPM multiplier!" for a rate of zero', async () => {
    const answer = await spots(ada, 'cpm_multiplier=0&daily_budget=1')
    expect((answer.data as unknown as { errors: { message: string }[] }).errors[0]?.message).toBe('Failed to get CPM multiplier!')
  })

  it.each([
    'cpm_multiplier=0&daily_budget=1',
    'cpm_multiplier=x&daily_budget=1',
    'daily_budget=1',
    'cpm_multiplier=1&daily_budget=-1',
  ])('figures of a campaign give no spots without a multiplier or a budget: %s', async (query) =>
    expect((await spots(ada, query)).code).toBe(2),
  )

  it('figures of a campaign are hidden for campaigns of other accounts', async () => {
    expect((await spots(bola, `campaign_id=${id}&cpm_multiplier=1&daily_budget=1`)).code).toBe(130)
  })
})
