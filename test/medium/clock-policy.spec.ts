import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProduct, type Product } from '../../api/compose.ts'
import { readConfig } from '../../api/config.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually, publishable, signIn, type Campaignish } from '../support/product.ts'

const DAY = 86_400

let database: TestDatabase
let dataDir = ''
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'placard-clock-'))
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** The product on the same database, so many days from now. */
const startIn = (days: number): Promise<Product> =>
  startProduct(
    readConfig({
      DATABASE_URL: database.url,
      PLACARD_DATA_DIR: dataDir,
      PLACARD_DEMO: 'on',
      PLACARD_UNSAFE_DATABASE: 'on',
      PORT: '0',
      LOG_LEVEL: 'error',
      PLACARD_CLOCK_OFFSET: String(days * DAY),
    }),
  )

it('records the start and the end of a flight exactly once, after any downtime and with two processes sweeping', async () => {
  const day = (days: number) => new Date(Date.now() + days * DAY * 1000).toISOString().slice(0, 10)
  let product = await startIn(0)
  let base = product.address ?? ''
  const [ada, moderator] = await Promise.all([signIn(base, 'ada@nile.example'), signIn(base, 'moderator@dsp.example')])
  const body = await publishable(base, ada, { campaign_start_at: day(3), campaign_end_at: day(6) })
  const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', body)
  await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
    campaign_id: data.id,
    moderation_start_at: data.moderation_start_at,
  })
  expect(
    (
      await eventually(
        () => ada.call('GET', `/v1/campaign/${data.id}`),
        (answer) => answer.data.status_key === 40,
      )
    ).data.status_key,
  ).toBe(40)
  expect((await ada.call('POST', '/v1/campaign/run', data.id)).data.status_key).toBe(40)
  await product.stop()

  const flightEvents: number[] = []
  for (const [days, status] of [
    [4, 3],
    [4, 3],
    [30, 43],
    [30, 43],
  ] as const) {
    product = await startIn(days)
    const second = await startIn(days)
    base = product.address ?? ''
    const auditor = await signIn(base, 'auditor@dsp.example')
    const found = await eventually(
      () => auditor.call<Campaignish>('GET', `/v1/campaign/${data.id}`),
      (answer) => answer.data.status_key === status,
    )
    expect(found.data.status_key).toBe(status)
    await new Promise((resolve) => setTimeout(resolve, 700))
    const events = await auditor.call<{ type: string }[]>('GET', `/v1/campaign/${data.id}/events?limit=1000`)
    flightEvents.push(events.data.filter(({ type }) => type === 'FlightChanged').length)
    await second.stop()
    await product.stop()
  }
  // One before publishing (upcoming), one at the start, one at the end; restarts add none.
  expect(flightEvents).toEqual([2, 2, 3, 3])
}, 60_000)
