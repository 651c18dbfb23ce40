import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { Client } from 'pg'
import { openClickHouse } from '#factstore/clickhouse/clickhouse'
import { readFactsUrl } from '#factstore/clickhouse/facts-url'
import { prepareTables } from '#factstore/clickhouse/tables'
import { createMonths } from '#factstore/postgres/months'
import { DIMENSIONS, MEASURES } from '#domain/delivery/batch'
import { createKysely, createPool } from '#platform/database/pool'
import { SPACE, WHITELABEL } from './product.ts'

/** Generated facts: 1,000 accounts with 100 campaigns each, over the 365 days before `until`. */
export type FactPlan = {
  readonly rows: number
  /** Further rows of the second campaign, each of another source, in one hour. */
  readonly sources: number
  /** Campaigns of the account that is read, in order; the others need no events. */
  readonly campaigns: readonly string[]
  /** Epoch milliseconds, start of a UTC day. */
  readonly until: number
}

const ACCOUNTS = 1000
const HOURS = 365 * 24
const HOUR_S = 3600
/** Days before the end on which the many sources deliver. */
const SOURCES_DAY = 10

const SUMS = [...MEASURES, 'spent', 'overdelivered']
const COLUMNS = ['hour', 'space_id', 'whitelabel_id', 'campaign_id', ...DIMENSIONS, ...SUMS]
const LONG_MS = 24 * 3_600_000

/** What the two languages write differently. */
type Dialect = {
  readonly div: (a: string, b: number) => string
  readonly text: (n: string) => string
  readonly time: (seconds: string) => string
  /** The id at an index, counting from zero. */
  readonly at: (index: string) => string
}

const POSTGRES: Dialect = {
  div: (a, b) => `((${a}) / ${b})`,
  text: (n) => `(${n})::text`,
  time: (seconds) => `to_timestamp(${seconds})`,
  at: (index) => `($1::text[])[(${index}) + 1]`,
}
const CLICKHOUSE: Dialect = {
  div: (a, b) => `intDiv(${a}, ${b})`,
  text: (n) => `toString(${n})`,
  time: (seconds) => `toDateTime(${seconds}, 'UTC')`,
  at: (index) => `arrayElement({ids:Array(String)}, (${index}) + 1)`,
}

/** The columns of row `i`. */
function expressions({ rows, campaigns, until }: FactPlan, { div, text, time, at }: Dialect): readonly string[] {
  const all = ACCOUNTS * campaigns.length
  const [campaign, nth] = [`(i % ${all})`, div('i', all)]
  const perCampaign = Math.max(1, Math.ceil(rows / all))
  const hours = `(${div(`${nth} * ${HOURS}`, perCampaign)} + ${campaign} * 37) % ${HOURS}`
  const own = `${campaign} % ${ACCOUNTS} = 0`
  const named = (name: string, values: number, step: number) => `concat('${name} ', ${text(`${div('i', step)} % ${values}`)})`
  return [
    time(`${until / 1000} - (1 + ${hours}) * ${HOUR_S}`),
    `case when ${own} then '${SPACE}' else concat('space ', ${text(`${campaign} % ${ACCOUNTS}`)}) end`,
    `'${WHITELABEL}'`,
    `case when ${own} then ${at(div(campaign, ACCOUNTS))} else concat('campaign ', ${text(campaign)}) end`,
    ...DIMENSIONS.map((name, n) =>
      name === 'device_type_key' ? `2 + ${nth} % 2` : named(name, [3, 8, 12, 200, 500, 3, 5, 40, 60, 300][n] ?? 5, n + 3),
    ),
    ...SUMS.map((_, n) => `1 + (i * ${n + 3}) % 1000`),
  ]
}

/** One row of another source each, all of the second campaign. */
function sourceExpressions({ until }: FactPlan, { text, time, at }: Dialect): readonly string[] {
  return [
    time(String(until / 1000 - SOURCES_DAY * 24 * HOUR_S)),
    // Another account's: groupings of the account that is read have as many keys as usual.
    `'space of many sources'`,
    `'${WHITELABEL}'`,
    at('1'),
    ...DIMENSIONS.map((name) =>
      name === 'device_type_key' ? '2' : name === 'app_or_site' ? `concat('app ', ${text('i')})` : `'${name}'`,
    ),
    ...SUMS.map((_, n) => `1 + (i * ${n + 3}) % 1000`),
  ]
}

/** Writes the facts into a migrated PostgreSQL without facts: rows first, then each rollup from the rows. */
export async function makePostgresFacts(url: string, plan: FactPlan): Promise<void> {
  const pool = createPool(url, { max: 1, applicationName: 'placard-bench' })
  const months = Array.from({ length: 14 }, (_, n) => new Date(plan.until - n * 30 * 24 * HOUR_S * 1000).toISOString())
  await createMonths(createKysely(pool)).ensure([...months, new Date(plan.until).toISOString()])
  await pool.end()
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const insert = (columns: readonly string[], count: number) =>
      client.query(
        `insert into facts.rows (${COLUMNS.join(', ')}) select ${columns.join(', ')} from generate_series(0, ${count - 1}::bigint) as g(i)`,
        [plan.campaigns],
      )
    await insert(expressions(plan, POSTGRES), plan.rows)
    await insert(sourceExpressions(plan, POSTGRES), plan.sources)
    const sums = SUMS.join(', ')
    const summed = SUMS.map((name) => `sum(${name})`).join(', ')
    const rollup = (table: string, grouping: string, period: string, key: string) =>
      client.query(
        `insert into facts.${table} (campaign_id, space_id, whitelabel_id, grouping, period, key, ${sums})
         select campaign_id, space_id, whitelabel_id, '${grouping}', ${period}, ${key}, ${summed} from facts.rows group by 1, 2, 3, 5, 6`,
      )
    await rollup('hours', 'total', 'hour', `''::text`)
    await rollup('days', 'total', `(hour at time zone 'UTC')::date`, `''::text`)
    for (const name of DIMENSIONS) await rollup('days', name, `(hour at time zone 'UTC')::date`, `${name}::text`)
    await client.query('vacuum (freeze, analyze)')
  } finally {
    await client.end()
  }
}

/** Writes the facts within the engine of a ClickHouse, once: a database that has them is left as it is. */
export async function makeClickHouseFacts(url: string, plan: FactPlan): Promise<void> {
  const { server, user, password, database } = readFactsUrl(url)
  const open = (name: string) =>
    createClient({
      url: server,
      username: user,
      password,
      database: name,
      request_timeout: LONG_MS,
      keep_alive: { enabled: false },
      log: { level: ClickHouseLogLevel.OFF },
    })
  const outside = open('default')
  await outside.command({ query: `create database if not exists ${database}` })
  await outside.close()
  const tables = openClickHouse(url)
  await prepareTables(tables)
  const made = await tables.query('select 1 from fact_batches where id = {id:String}', { id: 'made' })
  await tables.close()
  if (made.length > 0) return
  const client = open(database)
  const insert = (columns: readonly string[], count: number) =>
    client.command({
      query: `insert into facts (${COLUMNS.join(', ')}, day, batch_id)
        select ${columns.map((column, n) => `${column} as ${COLUMNS[n]}`).join(', ')}, toDate(hour), 'made' from (select toInt64(number) as i from numbers(${count}))`,
      query_params: { ids: plan.campaigns },
      use_multipart_params: true,
      clickhouse_settings: { max_execution_time: 0 },
    })
  await client.command({ query: 'truncate table facts' })
  await insert(expressions(plan, CLICKHOUSE), plan.rows)
  await insert(sourceExpressions(plan, CLICKHOUSE), plan.sources)
  await client.command({ query: `insert into fact_batches (id) select 'made'` })
  await client.close()
}
