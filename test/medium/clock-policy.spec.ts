import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startProduct, type Product } from '#api/compose'
import { readConfig } from '#api/config'
import { streamOf } from '#domain/campaign/state'
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

const running = new Set<Product>()
afterEach(async () => {
  await Promise.all([...running].map((product) => stop(product)))
})

/** The product on the same database, this many days in the future. */
async function startIn(days: number): Promise<Product> {
  const product = await startProduct(
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
  running.add(product)
  return product
}

async function stop(product: Product): Promise<void> {
  running.delete(product)
  await product.stop()
}

const day = (days: number) => new Date(Date.now() + days * DAY * 1000).toISOString().slice(0, 10)

/** A running campaign that starts in 3 days and ends in 6; returns its id. */
async function upcomingCampaign(base: string): Promise<string> {
  const [ada, moderator] = await Promise.all([signIn(base, 'ada@nile.example'), signIn(base, 'moderator@dsp.example')])
  const body = await publishable(base, ada, { campaign_start_at: day(3), campaign_end_at: day(6) })
  const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', body)
  await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
    campaign_id: data.id,
    moderation_start_at: data.moderation_start_at,
  })
  const approved = await eventually(
    () => ada.call('GET', `/v1/campaign/${data.id}`),
    (answer) => answer.data.status_key === 40,
  )
  expect(approved.data.status_key).toBe(40)
  expect((await ada.call('POST', '/v1/campaign/run', data.id)).data.status_key).toBe(40)
  return data.id
}

/** The flights recorded in the stream of a campaign, in order. */
async function flightsOf(id: string): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ flight: string }>(
    "select data ->> 'flight' as flight from es.events where stream_id = $1 and type = 'FlightChanged' order by version",
    [streamOf(id)],
  )
  return rows.map(({ flight }) => flight)
}

it('records the start and end of a flight exactly once, after any downtime and with two processes sweeping', async () => {
  let product = await startIn(0)
  let base = product.address ?? ''
  const id = await upcomingCampaign(base)
  await stop(product)

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
      () => auditor.call<Campaignish>('GET', `/v1/campaign/${id}`),
      (answer) => answer.data.status_key === status,
    )
    expect(found.data.status_key).toBe(status)
    await new Promise((resolve) => setTimeout(resolve, 700))
    const events = await auditor.call<{ type: string }[]>('GET', `/v1/campaign/${id}/events?limit=1000`)
    flightEvents.push(events.data.filter(({ type }) => type === 'FlightChanged').length)
    await stop(second)
    await stop(product)
  }
  // One before publishing (upcoming), one at the start, one at the end; restarts add none.
  expect(flightEvents).toEqual([2, 2, 3, 3])
  // The product starts nine times.
})

it('starts and ends a campaign whose list row is stale', async () => {
  let product = await startIn(0)
  const id = await upcomingCampaign(product.address ?? '')
  await stop(product)
  await database.pool.query(
    `with moved as (
       update es.subscriptions set parked = parked + 1 where name = 'campaign-list' and status = 'live' returning name, generation, position
     )
     insert into es.dead_letters (name, generation, position, stream_id, attempts, error)
     select name, generation, position, $1, 4, '{"message":"cannot be applied"}' from moved`,
    [streamOf(id)],
  )
  for (const [days, flights] of [
    [4, ['upcoming', 'open']],
    [30, ['upcoming', 'open', 'ended']],
  ] as const) {
    product = await startIn(days)
    await eventually(
      () => flightsOf(id),
      (found) => found.length >= flights.length,
    )
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await flightsOf(id)).toEqual(flights)
    await stop(product)
  }
})
