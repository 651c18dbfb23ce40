import { afterAll, beforeAll, expect, it } from 'vitest'
import { DELIVERED, deliveryIn } from '../support/delivery.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { testClock } from '../support/test-clock.ts'

let product: TestProduct
let delivery: Awaited<ReturnType<typeof deliveryIn>>
beforeAll(async () => {
  product = await startTestProduct(DELIVERED)
  delivery = await deliveryIn(product)
})
afterAll(() => product.stop())

type Country = { readonly iso_code: string; readonly timezone_offset_seconds: number }
type Listed = { readonly data: readonly { readonly id: string; readonly daily_budget_spent: number }[] }

const dayAt = (offsetSeconds: number) => testClock.at(offsetSeconds * 1000).slice(0, 10)

it('counts what was spent today by the day of the campaign, at any hour of UTC', async () => {
  const { ada } = delivery
  const { data: countries } = await ada.call<readonly Country[]>('GET', '/v1/geo/country')
  // Some country has another date than UTC at every hour.
  const abroad = countries.find(({ timezone_offset_seconds: offset }) => dayAt(offset) !== dayAt(0))
  expect(abroad).toBeDefined()
  const id = await delivery.running({ country: abroad?.iso_code, budget: 80 })
  const spent = (day: string, micros: number) =>
    product.database.pool.query(
      'insert into app.campaign_spend (campaign_id, day, billed, overdelivered) values ($1, $2, $3, 0)',
      [id, day, micros],
    )
  await spent(dayAt(abroad?.timezone_offset_seconds ?? 0), 5_000_000)
  await spent(dayAt(0), 7_000_000)

  const { data: list } = await ada.call<Listed>('POST', '/v1/campaign/list/v2', {})
  expect(list.data.find((row) => row.id === id)?.daily_budget_spent).toBe(5)
  expect((await ada.call('GET', `/v1/campaign/${id}`)).data).toMatchObject({ daily_budget_spent: 5 })
  // The days of the report are UTC days: none of them is the campaign's own one, or it is an earlier one.
  const { data: days } = await ada.call<readonly { readonly today_spent: number }[]>('GET', `/v1/campaign/report/list/${id}`)
  expect(days.length).toBeGreaterThan(0)
  expect(days.map(({ today_spent: today }) => today)).not.toContain(7)
})
