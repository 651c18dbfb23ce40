import { readFileSync } from 'node:fs'
import { Pool } from 'pg'
import { createKysely } from '../platform/database/pool.ts'
import { createMonths } from '../factstore/postgres/months.ts'
import { median, percentile, round, say, type Figures } from './support/measure.ts'
import { SPACE, startBenchProduct, WHITELABEL, type BenchProduct } from './support/product.ts'
import { withServer, type BenchServer } from './support/server.ts'

const DAYS = 365
/** Campaigns: a hundred accounts of a thousand; the one that is read is Ada's, and has a tenth of all facts. */
const CAMPAIGNS = 100_000
const OWN_CAMPAIGNS = 1000
/** Facts of a campaign on a day: 24 hours in a few places, sizes and devices. */
const FACTS_A_DAY = 120
const CSV_ROWS = 1_000_000
const CALLS = 60
const READERS = 64
const INGEST_SECONDS = 15
const BATCH_ROWS = 5000
const SENDERS = 4
const DAY_MS = 86_400_000

export type ReportsOptions = {
  /** Facts in the store. */
  readonly rows: number
}

/**
 * Reports over many facts (fine print 33): every figure is measured over HTTP against the built product.
 *  - `dashboard_p95_ms`, `grouping_p95_ms`: 30 days of one account by day, and by each grouping; `year_p95_ms`: its year by day;
 *  - `list_p95_ms`: the first page of a list with figures, of one account among 100,000 campaigns;
 *  - `csv_rss_growth_mb`: how much more memory the product has at most while it sends a file of 1,000,000 lines than one of 100,000;
 *  - `ingest_rows_per_s`: batches of 5,000 rows from four senders, while 64 readers each ask for a dashboard once a second.
 * The rows of lists are copied, and facts are made inside PostgreSQL with their rollups; batches come over HTTP, for campaigns of the log.
 */
export const reports = (options: ReportsOptions): Promise<Figures> => withServer((server) => measureReports(server, options))

async function measureReports(server: BenchServer, { rows }: ReportsOptions): Promise<Figures> {
  const database = `reports_${process.pid}`
  try {
    const url = await server.create(database)
    const product = await startBenchProduct(url, {
      PLACARD_EXCHANGE_REVIEW: 'instant',
      PLACARD_SETTLE_SECONDS: '60',
      PLACARD_SERVICE_TOKEN: SERVICE,
    })
    await product.ready()
    // Without the product's limit on the time of a statement.
    const pool = new Pool({ connectionString: url, max: 4, application_name: 'placard-bench' })
    try {
      await fill(pool, rows)
      const read = await measureReads(product)
      const csv_rss_growth_mb = await measureCsv(product, pool)
      const ingest = await measureIngest(product, pool)
      return { rows, ...read, csv_rss_growth_mb, ...ingest }
    } finally {
      await pool.end()
      await product.stop()
    }
  } finally {
    await server.drop(database)
  }
}

const SERVICE = 'a-service-token-of-32-characters-for-benches'

/** Copies of a campaign in the list, and their facts with all rollups. */
async function fill(pool: Pool, rows: number): Promise<void> {
  const first = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAYS * DAY_MS
  say(`making ${rows} facts of ${CAMPAIGNS} campaigns …`)
  await pool.query(`
    insert into rm_campaign_list
    select (jsonb_populate_record(null::rm_campaign_list, to_jsonb(l) || jsonb_build_object(
      'id', 'bench-' || n, 'name', 'Bench ' || n,
      'space_id', case when n <= ${OWN_CAMPAIGNS} then '${SPACE}' else 'bench-space-' || (n / ${OWN_CAMPAIGNS}) end))).*
    from (select * from rm_campaign_list where space_id = '${SPACE}' and status_key = 3 limit 1) l, generate_series(1, ${CAMPAIGNS}) n`)
  const months = createMonths(createKysely<never>(pool))
  await months.ensure(Array.from({ length: DAYS + 1 }, (_, day) => new Date(first + day * DAY_MS).toISOString()))
  const campaignDays = Math.max(1, Math.round(rows / FACTS_A_DAY))
  await pool.query(`
    insert into facts.rows
    select to_timestamp(${first / 1000}) + make_interval(days => d.day, hours => f % 24),
      d.space, '${WHITELABEL}', d.campaign,
      (array[2, 3, 5, 8, 9])[1 + f % 5], 'creative-' || (f % 3), (array['300x250', '728x90', '320x50', '160x600'])[1 + f % 4],
      (array['google', 'verve', 'taboola', 'yandex'])[1 + f % 4], 'publisher-' || (f * 7 + d.n) % 60, 'app-' || (f * 7 + d.n) % 60,
      (array['Android', 'iOS', 'Windows'])[1 + f % 3], 'NG', 'region-' || f % 6, 'city-' || f % 12,
      100 + f, f % 7, f % 3, f % 2, f % 2, 300 + f, 80 + f, f % 4, f % 9, 0, 1000 * f, 0
    from (
      select n, n % ${DAYS} as day,
        'bench-' || case when n % 10 = 0 then 1 + (n / 10) % ${OWN_CAMPAIGNS} else ${OWN_CAMPAIGNS} + 1 + n % ${CAMPAIGNS - OWN_CAMPAIGNS} end as campaign,
        case when n % 10 = 0 then '${SPACE}' else 'bench-space-' || ((${OWN_CAMPAIGNS} + 1 + n % ${CAMPAIGNS - OWN_CAMPAIGNS}) / ${OWN_CAMPAIGNS}) end as space
      from generate_series(1, ${campaignDays}) n
    ) d, generate_series(1, ${FACTS_A_DAY}) f`)
  await roll(pool)
  await pool.query('analyze')
}

const SUMS = [
  'impressions',
  'clicks',
  'conversions',
  'unique_conversions',
  'conversions_unique_bid',
  'bids',
  'reach',
  'bounces',
  'engagements',
  'completed_views',
  'spent',
  'overdelivered',
]
const GROUPINGS = [
  'creative_id',
  'size',
  'exchange',
  'publisher',
  'app_or_site',
  'device_type_key',
  'os',
  'country',
  'region',
  'city',
]

/** Rollups of every row, as the store writes them with each batch. */
async function roll(pool: Pool): Promise<void> {
  say('making their rollups …')
  const summed = SUMS.map((name) => `sum(${name})`).join(', ')
  await pool.query(`
    insert into facts.hours select campaign_id, space_id, whitelabel_id, 'total', hour, '', ${summed} from facts.rows group by 1, 2, 3, 5`)
  for (const [grouping, key] of [['total', `''`], ...GROUPINGS.map((name) => [name, `${name}::text`])])
    await pool.query(`
      insert into facts.days
      select campaign_id, space_id, whitelabel_id, '${grouping}', (hour at time zone 'UTC')::date, ${key}, ${summed}
      from facts.rows group by 1, 2, 3, 5, 6`)
}

/** Milliseconds of one call; refuses any other answer than success. */
async function call(product: BenchProduct, path: string, body: object): Promise<number> {
  const begin = performance.now()
  const response = await fetch(product.base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} was refused: ${text.slice(0, 300)}`)
  return performance.now() - begin
}

const period = (days: number) => ({
  from_date: Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS,
  to_date: Math.floor(Date.now() / DAY_MS) * DAY_MS - 1,
  granularity_type_key: 2,
  included_metrics: ['impressions', 'clicks', 'ctr', 'conversions', 'spent'],
})

const DIMENSIONS = [
  'device_os',
  'app_or_site',
  'size',
  'creative',
  'exchange',
  'country',
  'region',
  'city',
  'day_of_week',
] as const

async function measureReads(product: BenchProduct): Promise<Figures> {
  const p95 = async (name: string, once: (n: number) => Promise<number>) => {
    await once(0)
    const times: number[] = []
    for (let n = 0; n < CALLS; n++) times.push(await once(n))
    say(`${name}: median ${round(median(times))} ms`)
    return round(percentile(times, 0.95))
  }
  return {
    dashboard_p95_ms: await p95('dashboard', () => call(product, '/v1/reports/dashboard', period(30))),
    grouping_p95_ms: await p95('grouping', (n) =>
      call(product, '/v1/reports/dimension', { ...period(30), dimension: DIMENSIONS[n % DIMENSIONS.length] }),
    ),
    year_p95_ms: await p95('year', () => call(product, '/v1/reports/dashboard', period(DAYS))),
    list_p95_ms: await p95('list', (n) =>
      call(product, '/v1/campaign/list/v2', {
        page: n % 20,
        pageSize: 25,
        start_date: new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10),
        end_date: new Date().toISOString().slice(0, 10),
      }),
    ),
  }
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024

/** Files of two lengths: what is beyond the peak of the short one grows with the file. */
async function measureCsv(product: BenchProduct, pool: Pool): Promise<number> {
  const ids = await running(pool, 2)
  const peaks: number[] = []
  for (const [n, lines] of [CSV_ROWS / 10, CSV_ROWS].entries()) {
    await pool.query(
      `insert into facts.rows
      select date_trunc('hour', now()) - interval '2 days', '${SPACE}', '${WHITELABEL}', $1::text, 2, 'c', '300x250', 'google',
        'publisher-' || n, 'app-' || n, 'Android', 'NG', '', '', 10, 1, 0, 0, 0, 20, 5, 0, 0, 0, n, 0
      from generate_series(1, ${lines}) n`,
      [ids[n]],
    )
    let peak = 0
    const watching = setInterval(() => {
      peak = Math.max(peak, residentMb(product.pid))
    }, 50)
    const sent = await download(product, { ...period(30), id: ids[n] })
    clearInterval(watching)
    if (sent < lines) throw new Error(`the file has ${sent} lines`)
    say(`file of ${lines} lines: ${round(peak)} MB at most`)
    peaks.push(peak)
  }
  const [short = 0, long = 0] = peaks
  return round(Math.max(0, long - short))
}

async function download(product: BenchProduct, body: object): Promise<number> {
  const response = await fetch(`${product.base}/v1/campaign/report/download/traffic-source`, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 200) throw new Error(`the file was refused: ${(await response.text()).slice(0, 300)}`)
  let lines = 0
  for await (const chunk of response.body ?? []) for (const byte of chunk) if (byte === 10) lines += 1
  return lines
}

/** Running campaigns of the demo: batches need campaigns of the log. */
async function running(pool: Pool, count: number): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from rm_campaign_list where status_key = 3 and id not like 'bench-%' order by id limit $1`,
    [count],
  )
  return rows.map(({ id }) => id)
}

async function measureIngest(product: BenchProduct, pool: Pool): Promise<Figures> {
  const ids = await running(pool, SENDERS)
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString()
  let stopped = false
  const readTimes: number[] = []
  const readers = Array.from({ length: READERS }, async (_, n) => {
    await new Promise((resolve) => setTimeout(resolve, (n * 1000) / READERS))
    while (!stopped) {
      const took = await call(product, '/v1/reports/dashboard', period(30))
      readTimes.push(took)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1000 - took)))
    }
  })
  const begin = performance.now()
  let sent = 0
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let n = 0; performance.now() - begin < INGEST_SECONDS * 1000; n++) {
      const rows = Array.from({ length: BATCH_ROWS }, (_, row) => ({
        hour,
        campaign_id: ids[sender % ids.length],
        size: '300x250',
        exchange: 'google',
        publisher: `publisher-${row % 60}`,
        app_or_site: `app-${row % 300}`,
        city: `city-${row % 12}`,
        impressions: 10,
        spent: 0,
      }))
      const response = await fetch(`${product.base}/v1/delivery/batches`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SERVICE}`, 'content-type': 'application/json' },
        body: JSON.stringify({ batch_id: `bench-${sender}-${n}`, rows }),
      })
      if (response.status !== 200) throw new Error(`a batch was refused: ${(await response.text()).slice(0, 300)}`)
      await response.arrayBuffer()
      sent += rows.length
    }
  })
  await Promise.all(senders)
  const seconds = (performance.now() - begin) / 1000
  stopped = true
  await Promise.all(readers)
  return {
    ingest_rows_per_s: Math.round(sent / seconds),
    ingest_reader_p95_ms: round(percentile(readTimes, 0.95)),
    ingest_senders: ids.length,
  }
}
