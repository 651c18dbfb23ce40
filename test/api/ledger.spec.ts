import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Movement = {
  readonly type: string
  readonly amount: number
  readonly balance_after: number
  readonly settlement: number | null
  readonly settlements: number | null
  readonly payment_id: string | null
  readonly cause: string
}
type Ledger = { readonly total_size: number; readonly data: readonly Movement[] }
type Funds = { readonly balance: number; readonly reserved: number; readonly spent_today: number }

describe('the ledger of an account', () => {
  let product: TestProduct
  let owner: Session
  let ada: Session
  let clerk: Session
  let space = ''
  let running: Awaited<ReturnType<typeof deliveryIn>>['running']
  let send: Awaited<ReturnType<typeof deliveryIn>>['send']

  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    owner = await product.as('owner@dsp.example')
    clerk = await product.as('clerk@nile.example')
    ;({ ada, running, send, space } = await deliveryIn(product))
  })
  afterAll(() => product.stop())

  const funds = async () => (await ada.call<Funds>('GET', `/v1/space/balance/${space}`)).data
  const ledger = async (body: object = {}) => (await ada.call<Ledger>('POST', `/v1/space/${space}/ledger`, body)).data
  const spend = async (id: string, spent: number) => {
    const { total_size: before } = await ledger({ type: 'spend' })
    await send(newId(), [{ hour: hour(), campaign_id: id, impressions: 100, spent }])
    await expect.poll(async () => (await ledger({ type: 'spend' })).total_size).toBe(before + 1)
  }

  it('joins settlements of a day into one row until another movement stands between them', async () => {
    const id = await running({ budget: 100 })
    await spend(id, 1.25)
    await spend(id, 2)
    await owner.call('POST', `/v1/space/${space}/credit`, { amount: 10, comment: 'goodwill' })
    await spend(id, 0.5)
    const each = await ledger({ page_size: 150 })
    const daily = await ledger({ daily: true, page_size: 150 })
    const newest = daily.data.slice(0, 3).map(({ type, amount, settlements }) => ({ type, amount, settlements }))
    expect(newest[0]).toEqual({ type: 'spend', amount: -0.5, settlements: 1 })
    expect(newest[1]).toEqual({ type: 'credit', amount: 10, settlements: null })
    expect(newest[2]).toMatchObject({ type: 'spend', amount: -3.25, settlements: 2 })
    expect(daily.total_size).toBe(each.total_size - 1)
    // Each row is the row below it plus its own amount: the page can be checked by hand.
    for (const page of [each.data, daily.data])
      for (const [n, row] of page.slice(0, -1).entries())
        expect(row.balance_after).toBeCloseTo((page[n + 1]?.balance_after ?? 0) + row.amount, 6)
  })

  it('shows what running campaigns may still spend as reserved', async () => {
    const before = (await funds()).reserved
    const id = await running({ budget: 40 })
    await expect.poll(async () => (await funds()).reserved).toBeCloseTo(before + 40, 6)
    await send(newId(), [{ hour: hour(), campaign_id: id, impressions: 100, spent: 15 }])
    await expect.poll(async () => (await funds()).reserved).toBeCloseTo(before + 25, 6)
    // Its settlement follows.
    await expect.poll(async () => (await ledger({ page_size: 150 })).data.some(({ amount }) => amount === -15)).toBe(true)
  })

  // covers FP-70
  it('the ledger of an account is saved as CSV, oldest first, with every movement and exact amounts', async () => {
    const { data, total_size: total } = await ledger({ page_size: 150 })
    const answer = await fetch(`${product.base}/v1/space/${space}/ledger/csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${clerk.token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.headers.get('content-type')).toContain('text/csv')
    const [header, ...lines] = (await answer.text()).trimEnd().split('\r\n')
    expect(header).toBe('id,at,type,amount,balance_after,cause,payment_id,invoice_id,actor')
    expect(lines.length).toBe(total)
    expect(lines.map((line) => Number(line.split(',')[3]))).toEqual(data.map(({ amount }) => amount).toReversed())
  })

  it.each([
    ['a type that is not known', { type: 'gift' }, 2],
    ['a date that is none is refused before it is sent', { from_date: 'yesterday' }, 11],
    ['a reversed period', { from_date: '2026-02-01', to_date: '2026-01-01' }, 1303],
  ])('refuses %s', async (_, body, code) => {
    for (const path of ['ledger', 'ledger/csv'])
      expect((await ada.call('POST', `/v1/space/${space}/${path}`, body)).code).toBe(code)
  })
})
