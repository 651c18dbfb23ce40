import { createRollUp } from '#factstore/postgres/roll-up'
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
const LONG_MS = 24 * 3_600_000

/** Values of each dimension but the device: `<name> <n>`. */
const VALUES: Readonly<Record<string, number>> = {
  creative_id: 3,
  size: 8,
  exchange: 12,
  publisher: 200,
  app_or_site: 500,
  os: 5,
  country: 40,
  region: 60,
  city: 300,
}
const NAMED = Object.keys(VALUES)

/** Row `i` in numbers: the campaign counted from zero, seconds of its hour, the value of each dimension, and the sums. */
function rowOf({ rows, campaigns, until }: FactPlan) {
  const all = ACCOUNTS * campaigns.length
  const [campaign, nth] = [`(i % ${all})`, `(i / ${all})`]
  const perCampaign = Math.max(1, Math.ceil(rows / all))
  const hours = `(${nth} * ${HOURS} / ${perCampaign} + ${campaign} * 37) % ${HOURS}`
  return {
    campaign,
    seconds: `${until / 1000} - (1 + ${hours}) * ${HOUR_S}`,
    device: `2 + ${nth} % 2`,
    value: (name: string) => `(i / ${DIMENSIONS.indexOf(name as (typeof DIMENSIONS)[number]) + 3}) % ${VALUES[name] ?? 1}`,
    sums: SUMS.map((_, n) => `1 + (i * ${n + 3}) % 1000`),
  }
}

/** Writes the facts into a migrated PostgreSQL without facts, as the product stores them: rows of numbers, and rollups where they pay. */
export async function makePostgresFacts(url: string, plan: FactPlan): Promise<void> {
  const pool = createPool(url, { max: 2, applicationName: 'placard-bench', limits: { statementMs: LONG_MS } })
  const db = createKysely(pool)
  // Shorter steps than the shortest month: each is met.
  const months = Array.from({ length: 15 }, (_, n) => new Date(plan.until - n * 28 * 24 * HOUR_S * 1000).toISOString())
  await createMonths(db, ['rows']).ensure([...months, new Date(plan.until).toISOString()])
  const { campaigns, rows, sources } = plan
  /** Numbers of these names, one after the other; returns the first. */
  const number = async (prefix: string, count: number): Promise<number> => {
    const { rows: made } = await pool.query<{ readonly id: number }>(
      `with made as (
         insert into facts.names (digest, name)
         select substring(sha256(convert_to(name, 'UTF8')) from 1 for 16), name
         from (select $1 || n as name from generate_series(0, $2::int - 1) n order by n) as names returning id
       ) select min(id) as id from made`,
      [prefix, count],
    )
    return made[0]?.id ?? 0
  }
  const { rows: owned } = await pool.query<{ readonly id: number }>(
    `with made as (
       insert into facts.owners (campaign_id, space_id, whitelabel_id)
       select case when n % ${ACCOUNTS} = 0 then ($1::text[])[n / ${ACCOUNTS} + 1] else 'campaign ' || n end,
         case when n % ${ACCOUNTS} = 0 then $2 else 'space ' || n % ${ACCOUNTS} end, $3
       from generate_series(0, $4::int - 1) n order by n returning id
     ) select min(id) as id from made`,
    [campaigns, SPACE, WHITELABEL, ACCOUNTS * campaigns.length],
  )
  const insert = (count: number, columns: readonly string[]) =>
    pool.query(
      `insert into facts.rows (hour, owner, ${NAMED.join(', ')}, device_type_key, ${SUMS.join(', ')})
       select ${columns.join(', ')} from generate_series(0, ${count - 1}::bigint) as g(i)`,
    )
  const row = rowOf(plan)
  const first = new Map<string, number>()
  for (const name of NAMED) first.set(name, await number(`${name} `, VALUES[name] ?? 1))
  await insert(rows, [
    `to_timestamp(${row.seconds})`,
    `${owned[0]?.id ?? 0} + ${row.campaign}`,
    ...NAMED.map((name) => `${first.get(name)} + ${row.value(name)}`),
    row.device,
    ...row.sums,
  ])
  const { rows: many } = await pool.query<{ readonly id: number }>(
    `insert into facts.owners (campaign_id, space_id, whitelabel_id) values ($1, 'space of many sources', $2) returning id`,
    [campaigns[1], WHITELABEL],
  )
  const apps = await number('app ', sources)
  await insert(sources, [
    `to_timestamp(${plan.until / 1000 - SOURCES_DAY * 24 * HOUR_S})`,
    String(many[0]?.id),
    ...NAMED.map((name) => (name === 'app_or_site' ? `${apps} + i` : String(first.get(name)))),
    '2',
    ...row.sums,
  ])
  await pool.query(
    `insert into facts.unsummed_days (day) select distinct (hour at time zone 'UTC')::date from facts.rows on conflict do nothing`,
  )
  const rollUp = createRollUp(db)
  while (await rollUp.sumNext());
  await pool.query('vacuum (freeze, analyze)')
  await pool.end()
}
