import { expect, test } from 'vitest'
import { publishable, startTestProduct } from '../support/product.ts'

const MONTH = 30 * 86_400

test.each([
  ['ahead', MONTH],
  ['behind', -MONTH],
])('measures the lag of a read model by the clock of the product, which is %s', async (_, offset) => {
  const product = await startTestProduct({ PLACARD_CLOCK_OFFSET: String(offset) })
  const ada = await product.as('ada@nile.example')
  const body = await publishable(product.base, ada)
  const holder = await product.database.pool.connect()
  try {
    const { rows } = await holder.query<{ tables: string[] }>(
      "select tables from es.subscriptions where name = 'campaign-revisions' and status = 'live'",
    )
    await holder.query('begin')
    await holder.query(`lock table ${rows[0]?.tables[0]} in access exclusive mode`)
    expect((await ada.call('POST', '/v1/campaign/saveAndPublish', body)).code).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const metrics = await (await fetch(`${product.base}/metrics`)).text()
    const seconds = Number(/placard_projection_lag_seconds\{model="campaign-revisions"\} (\S+)/.exec(metrics)?.[1])
    expect(seconds).toBeGreaterThan(1)
    expect(seconds).toBeLessThan(60)
  } finally {
    await holder.query('rollback')
    holder.release()
    await product.stop()
  }
})
