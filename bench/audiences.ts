import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { percentile, round, say, type Figures } from './support/measure.ts'
import { SPACE, startBenchProduct, type BenchProduct } from './support/product.ts'
import { withServer } from './support/server.ts'

/** A file of 50 MiB at most: 24 bytes a row. */
const ROWS = 2_000_000
const READERS = 64
const LAGS = 5

/**
 * An upload of 2,000,000 rows beside 64 readers, who call the list of audiences once a second: seconds until the version is ready, and how
 * far the product's memory grows. Then the milliseconds from a visitor's event to the audience of rules that has the visitor.
 */
export const audiences = (): Promise<Figures> =>
  withServer(async (server) => {
    const database = `audiences_run_${process.pid}`
    try {
      const product = await startBenchProduct(await server.create(database))
      await product.ready()
      const uploaded = await measureUpload(product)
      const lag = await measureLag(product)
      await product.stop()
      return { ...uploaded, membership_lag_ms: lag, rows: ROWS }
    } finally {
      await server.drop(database)
    }
  })

type Envelope<T> = { readonly type: { readonly code: number; readonly message: string }; readonly data: T }

async function ask<T>({ base, token }: BenchProduct, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { type, data }: Envelope<T> = await response.json()
  if (type.code !== 0) throw new Error(`${path} was refused: ${type.message}`)
  return data
}

/** Phone numbers with a further column, as a customer list has one. */
function customerList(): Blob {
  const parts: string[] = ['msisdn,since\n']
  for (let from = 0; from < ROWS; from += 10_000)
    parts.push(Array.from({ length: 10_000 }, (_, n) => `234${8_000_000_000 + (from + n) * 37},2024-06-01\n`).join(''))
  return new Blob(parts)
}

type Details = { readonly status_key: number; readonly matched: number }

async function measureUpload(product: BenchProduct): Promise<Figures> {
  const file = customerList()
  say(`a file of ${(file.size / 1024 ** 2).toFixed(1)} MiB`)
  const rss = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${product.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  let isOver = false
  const times: number[] = []
  const readers = Array.from({ length: READERS }, async (_, n) => {
    await delay((n / READERS) * 1000)
    while (!isOver) {
      const begin = performance.now()
      await ask(product, 'POST', '/v1/segment-audience/list', { space_id: SPACE })
      times.push(performance.now() - begin)
      await delay(Math.max(0, 1000 - (performance.now() - begin)))
    }
  })
  // The readers' own share of the memory is not the upload's.
  await delay(5000)
  times.length = 0
  const before = rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, rss())
  }, 50)
  const form = new FormData()
  form.append('name', 'Two millions')
  form.append('file', file, 'list.csv')
  const begin = performance.now()
  const response = await fetch(`${product.base}/v1/segment-audience/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.token}` },
    body: form,
  })
  const { type, data }: Envelope<{ readonly id: string }> = await response.json()
  if (type.code !== 0) throw new Error(`the upload was refused: ${type.message}`)
  const answered = performance.now() - begin
  let found = await ask<Details>(product, 'GET', `/v1/segment-audience/${data.id}`)
  while (found.status_key === 1) {
    await delay(100)
    found = await ask<Details>(product, 'GET', `/v1/segment-audience/${data.id}`)
  }
  const took = performance.now() - begin
  clearInterval(watch)
  isOver = true
  await Promise.all(readers)
  if (found.matched !== ROWS) throw new Error(`the audience has ${found.matched} members`)
  return {
    upload_s: round(took / 1000),
    upload_answered_s: round(answered / 1000),
    rss_growth_mb: round(most - before),
    reader_p95_ms: round(percentile(times, 0.95)),
  }
}

async function measureLag(product: BenchProduct): Promise<number> {
  const event = `bench-${randomUUID()}`
  const rules = { condition: 'and', rules: [{ field: 'event_7d', operator: 'is', value: event }] }
  const { id } = await ask<{ readonly id: string }>(product, 'POST', '/v1/segment-audience/dynamic', {
    name: event,
    space_id: SPACE,
    rules,
  })
  const campaigns = await ask<{ readonly data: readonly { readonly id: string }[] }>(product, 'POST', '/v1/campaign/list/v2', {
    status_filter: 3,
  })
  const campaign = campaigns.data[0]?.id
  if (campaign === undefined) throw new Error('the demo has no running campaign')
  await ask(product, 'PUT', '/v1/campaign', { id: campaign, attribution_tags: 'cid={CID}&who={ANONYMOUS_ID}' })
  const members = async (): Promise<number> => (await ask<Details>(product, 'GET', `/v1/segment-audience/${id}`)).matched
  const lags: number[] = []
  for (let n = 0; n < LAGS; n++) {
    const begin = performance.now()
    await ask(product, 'POST', '/v1/events', {
      space_id: SPACE,
      events: [{ name: event, id: randomUUID(), url: `https://nile.example/?cid=${campaign}&who=visitor-${n}` }],
    })
    while ((await members()) <= n) {
      if (performance.now() - begin > 60_000) throw new Error('the visitor did not become a member within a minute')
      await delay(50)
    }
    lags.push(performance.now() - begin)
  }
  return round(Math.max(...lags))
}
