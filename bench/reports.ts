import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { DIMENSIONS, MEASURES, type Fact } from '#domain/delivery/batch'
import type { FactStore } from '#factstore/fact-store'
import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import { createKysely, createPool } from '#platform/database/pool'
import { makePostgresFacts, type FactPlan } from './support/delivered-facts.ts'
import { readySet, stampCampaigns, stampedIds } from './support/facts.ts'
import { closedLoop } from './support/load.ts'
import { percentile, round, say, type Figures } from './support/measure.ts'
import { SPACE, startBenchProduct, WHITELABEL, type BenchProduct } from './support/product.ts'
import { withServer, type BenchServer } from './support/server.ts'

export const REPORTS_HELP = `reports [--rows 5000000] [--campaigns 100000] [--sources 1000000]
  Facts of 1,000 accounts over 365 days, generated once. dashboard, grouping, year, list and csv are calls over HTTP as an advertiser
  with 100 campaigns; ingest stores batches of 5,000 rows through the port while 64 readers call the dashboard once a second.
  --campaigns is the number of campaigns in the list, --sources the number of lines of the CSV file, and of the keys of many_keys.`

const OWN_CAMPAIGNS = 100
/** Events of one campaign in the log, about. */
const EVENTS_EACH = 14
const CALLS = 60
const READERS = 64
const INGEST_SECONDS = 10
const ROWS_AT_ONCE = 5000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Dimensions of the calls by grouping, one after the other. */
const GROUPINGS = ['app_or_site', 'size', 'creative', 'exchange', 'country', 'city', 'day_of_week', 'device_os']

/** The figures of delivery reports: see the help. */
export const reports = (): Promise<Figures> =>
  withServer(async (server) => {
    const options = optionsOf()
    const prepared = await prepare(server, options)
    const database = `reports_run_${process.pid}`
    try {
      const url = await server.create(database, prepared.template)
      const product = await startBenchProduct(url)
      await product.ready()
      const bytes = await bytesPerFact(url)
      const read = await measureReads(product, prepared.plan)
      const csv = await measureCsv(product, prepared.plan)
      const byHand = await overSql(url, prepared.plan)
      const ingest = await measureIngest(product, openStore(url), prepared.plan)
      await product.stop()
      return { ...read, ...ingest, ...csv, ...bytes, ...byHand, rows: options.rows, campaigns: options.campaigns }
    } finally {
      await server.drop(database)
    }
  })

type Options = { readonly rows: number; readonly campaigns: number; readonly sources: number }

function optionsOf(): Options {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    strict: false,
    options: { rows: { type: 'string' }, campaigns: { type: 'string' }, sources: { type: 'string' } },
  })
  const number = (name: 'rows' | 'campaigns' | 'sources', fallback: number) => {
    const value = Number(values[name] ?? fallback)
    if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name}: must be a whole number above zero`)
    return value
  }
  return {
    rows: number('rows', 5_000_000),
    campaigns: number('campaigns', 100_000),
    sources: number('sources', 1_000_000),
  }
}

/** Makes the databases that are missing. Facts end with the last month, so that the runs of a month share them. */
async function prepare(server: BenchServer, { rows, campaigns, sources }: Options) {
  const now = new Date()
  const until = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
  const month = new Date(until).toISOString().slice(0, 7).replace('-', '')
  const template = `reports_${rows}_${sources}_${campaigns}_${month}`
  const stamped = { spaceId: SPACE, whitelabelId: WHITELABEL, count: OWN_CAMPAIGNS, salt: 'delivered' }
  if (!(await server.databases()).includes(template)) {
    const making = `${template}_making`
    const url = await server.create(making, await readySet(server, campaigns * EVENTS_EACH))
    const ids = await stampCampaigns(url, stamped)
    // Builds the read models of these campaigns.
    const product = await startBenchProduct(url)
    await product.ready()
    await product.stop()
    say(`${template}: generating facts once`)
    await makePostgresFacts(url, { rows, sources, until, campaigns: ids })
    await server.rename(making, template)
  }
  const plan: FactPlan = { rows, sources, until, campaigns: stampedIds(stamped) }
  return { template, plan }
}

/** Bytes on disk of the schema `facts`, for each fact: with indexes, rollups, numbers and batches. */
async function bytesPerFact(url: string): Promise<Figures> {
  const pool = createPool(url, { max: 1, applicationName: 'placard-bench' })
  const { rows } = await pool.query<{ readonly bytes: number; readonly facts: number }>(`
    select sum(pg_total_relation_size(oid))::float8 as bytes, sum(reltuples) filter (where relname like 'rows_%')::float8 as facts
    from pg_class where relnamespace = 'facts'::regnamespace and relkind = 'r'`)
  await pool.end()
  return { bytes_per_fact: round((rows[0]?.bytes ?? 0) / (rows[0]?.facts ?? 1)) }
}

const openStore = (url: string): FactStore =>
  createPostgresFactStore(createKysely(createPool(url, { max: 8, applicationName: 'placard-bench', onError: () => undefined })))

function send({ base, token }: BenchProduct, path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function post(product: BenchProduct, path: string, body: object): Promise<Response> {
  const response = await send(product, path, body)
  if (!response.ok) throw new Error(`${path} was refused: ${(await response.text()).slice(0, 500)}`)
  return response
}

/** The p95 of sequential calls, milliseconds; the first three are not counted. */
async function p95(calls: number, call: (n: number) => Promise<Response>): Promise<number> {
  const times: number[] = []
  for (let n = -3; n < calls; n++) {
    const begin = performance.now()
    await (await call(Math.max(0, n))).arrayBuffer()
    if (n >= 0) times.push(performance.now() - begin)
  }
  return round(percentile(times, 0.95))
}

const period = ({ until }: FactPlan, days: number) => ({
  from_date: new Date(until - days * DAY_MS).toISOString(),
  to_date: new Date(until - 1).toISOString(),
  granularity_type_key: 2,
})

async function measureReads(product: BenchProduct, plan: FactPlan): Promise<Figures> {
  const [month, year] = [period(plan, 30), period(plan, 365)]
  const { from_date, to_date } = month
  return {
    dashboard_p95_ms: await p95(CALLS, () => post(product, '/v1/reports/dashboard', { ...month, space_id: SPACE })),
    grouping_p95_ms: await p95(CALLS, (n) =>
      post(product, '/v1/reports/dimension', { ...month, space_id: SPACE, dimension: GROUPINGS[n % GROUPINGS.length] }),
    ),
    many_keys_p95_ms: await p95(5, () =>
      post(product, '/v1/reports/dimension', { ...month, id: plan.campaigns[1], dimension: 'app_or_site' }),
    ),
    year_p95_ms: await p95(CALLS, () => post(product, '/v1/reports/dashboard', { ...year, space_id: SPACE })),
    list_p95_ms: await p95(CALLS, (n) =>
      post(product, '/v1/campaign/list/v2', { from_date, to_date, page: n % 4, page_size: 25 }),
    ),
  }
}

/** How far the product's memory grows while it sends a CSV file, megabytes, and the lines of the file. */
async function measureCsv(product: BenchProduct, plan: FactPlan): Promise<Figures> {
  const rss = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${product.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  const body = { ...period(plan, 30), id: plan.campaigns[1] }
  const begin = performance.now()
  const before = rss()
  let [most, lines] = [before, 0]
  const response = await post(product, '/v1/campaign/report/download/traffic-source', body)
  for await (const chunk of response.body ?? []) {
    most = Math.max(most, rss())
    for (const byte of chunk as Uint8Array) if (byte === 10) lines += 1
  }
  return { csv_rss_growth_mb: round(most - before), csv_lines: lines, csv_s: round((performance.now() - begin) / 1000) }
}

/** How long the port takes for a page of a grouping of 30 days, against the same question in SQL written by hand; one right after the other. */
async function overSql(url: string, { until }: FactPlan): Promise<Figures> {
  const pool = createPool(url, { max: 1, applicationName: 'placard-bench' })
  const store = createPostgresFactStore(createKysely(pool))
  const [from, to] = [new Date(until - 30 * DAY_MS).toISOString(), new Date(until).toISOString()]
  const sums = [...MEASURES, 'spent', 'overdelivered'].map((name) => `coalesce(sum(f.${name}), 0) as ${name}`).join(', ')
  const byHand = `
    select n.name as key, ${sums}, count(*) over () as total
    from facts.owners o join facts.rows f on f.owner = o.id and f.hour >= $2 and f.hour < $3 join facts.names n on n.id = f.app_or_site
    where o.space_id = $1 group by 1 order by coalesce(sum(f.spent), 0) desc, 1 limit 25`
  const ratios: number[] = []
  for (let pair = -3; pair < 30; pair++) {
    const began = performance.now()
    const groups = await store.groups({ scope: { kind: 'spaces', ids: [SPACE] }, from, to }, 'app_or_site', {
      offset: 0,
      limit: 25,
    })
    const between = performance.now()
    const { rows } = await pool.query<{ readonly key: string }>(byHand, [SPACE, from, to])
    const ended = performance.now()
    if (rows.map(({ key }) => key).join() !== groups.rows.map(({ key }) => key).join()) throw new Error('the two answers differ')
    if (pair >= 0) ratios.push((between - began) / (ended - between))
  }
  await pool.end()
  return { grouping_over_sql: round(percentile(ratios, 0.5)) }
}

/** Rows a second that the port stores, beside 64 readers. */
async function measureIngest(product: BenchProduct, store: FactStore, plan: FactPlan): Promise<Figures> {
  const times: number[] = []
  let isOver = false
  let refused = 0
  const readers = Array.from({ length: READERS }, async (_, n) => {
    await delay((n / READERS) * 1000)
    while (!isOver) {
      const begin = performance.now()
      const response = await send(product, '/v1/reports/dashboard', { ...period(plan, 30), space_id: SPACE })
      await response.arrayBuffer()
      times.push(performance.now() - begin)
      // A store that is too busy is part of what is measured.
      if (!response.ok) refused += 1
      await delay(Math.max(0, 1000 - (performance.now() - begin)))
    }
  })
  // Made before: what makes them is no part of what is measured.
  const batches = Array.from({ length: 20 }, (_, n) => factsOf(n))
  let sent = 0
  const perSecond = await closedLoop(4, INGEST_SECONDS, async () => {
    sent += 1
    await store.store({ id: `bench ${process.pid} ${sent}`, facts: batches[sent % batches.length] ?? [] })
  })
  isOver = true
  await Promise.all(readers)
  await store.close()
  return {
    ingest_rows_per_s: Math.round(perSecond * ROWS_AT_ONCE),
    reader_p95_ms: round(percentile(times, 0.95)),
    readers_refused: refused,
  }
}

/** A batch as bidders send them: the hour that goes on, of many campaigns. */
function factsOf(batch: number): readonly Fact[] {
  const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS).toISOString()
  return Array.from({ length: ROWS_AT_ONCE }, (_, n) => {
    const campaign = (batch * ROWS_AT_ONCE + n) % 100_000
    const texts = DIMENSIONS.map((name) => [name, `${name} ${n % 7}`])
    const counts = [...MEASURES, 'spent', 'billed'].map((name) => [name, 1 + (n % 100)])
    return {
      ...Object.fromEntries([...texts, ...counts]),
      hour,
      campaign_id: `campaign ${campaign}`,
      space_id: `space ${campaign % 1000}`,
      whitelabel_id: WHITELABEL,
      device_type_key: 2,
      overdelivered: 0,
    } as Fact
  })
}
