import { sql, type Kysely } from 'kysely'

const DIMENSIONS = ['creative_id', 'size', 'exchange', 'publisher', 'app_or_site', 'os', 'country', 'region', 'city'] as const
/** Numbers of groupings: the place in the list of dimensions, from one on. */
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
] as const
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
] as const

/**
 * Facts as narrow rows: texts and owners are numbers, and a zero is null. Rollups are written once a day is over, only where they are
 * much smaller than the rows that they sum; everything else is summed from rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter schema facts rename to facts_before`.execute(db)
  await sql`create schema facts`.execute(db)
  await sql`alter table facts_before.batches set schema facts`.execute(db)
  await sql`
    create table facts.owners (
      id integer generated always as identity primary key,
      campaign_id text collate "C" not null,
      space_id text collate "C" not null,
      whitelabel_id text collate "C" not null,
      unique (campaign_id, space_id, whitelabel_id)
    )`.execute(db)
  await sql`create index on facts.owners (space_id)`.execute(db)
  await sql`create index on facts.owners (whitelabel_id)`.execute(db)
  await sql`
    create table facts.names (
      id integer generated always as identity primary key,
      -- The first half of the SHA-256 of the name in UTF-8: names can be longer than an index allows.
      digest bytea not null unique,
      name text collate "C" not null
    )`.execute(db)
  const sums = sql.raw(SUMS.map((sum) => `${sum} bigint`).join(', '))
  await sql`
    create table facts.rows (
      hour timestamptz not null,
      owner integer not null,
      ${sql.raw(DIMENSIONS.map((name) => `${name} integer not null`).join(', '))},
      device_type_key smallint not null,
      ${sums}
    ) partition by range (hour)`.execute(db)
  await sql`create index on facts.rows (owner, hour)`.execute(db)
  await sql`create index on facts.rows using brin (hour)`.execute(db)
  await sql`
    create table facts.hours (
      owner integer not null, hour timestamptz not null, ${sums}, primary key (owner, hour)
    ) partition by range (hour)`.execute(db)
  await sql`
    create table facts.day_totals (
      owner integer not null,
      day date not null,
      -- Bits of the groupings that have no rollup: they are summed from rows.
      wide smallint not null,
      -- True once the rows of the day are removed: rows that still come are not in these sums.
      rows_removed boolean not null default false,
      ${sums},
      primary key (owner, day)
    ) partition by range (day)`.execute(db)
  await sql`
    create table facts.day_groups (
      owner integer not null, grouping smallint not null, day date not null, key integer not null, ${sums},
      primary key (owner, grouping, day, key)
    ) partition by range (day)`.execute(db)
  await sql`
    create table facts.unsummed_days (
      day date primary key,
      -- True while its rollups are being written: rows that come meanwhile set it back.
      summing boolean not null default false
    )`.execute(db)
  await carryOver(db)
  await sql`drop schema facts_before cascade`.execute(db)
}

async function carryOver(db: Kysely<unknown>): Promise<void> {
  const { rows: kept } = await sql<{ readonly month: string }>`
    select right(c.relname, 7) as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'facts_before.rows'::regclass`.execute(db)
  const { rows: summed } = await sql<{ readonly month: string }>`
    select distinct to_char(period, 'YYYY_MM') as month from facts_before.days`.execute(db)
  const months = new Set([...kept, ...summed].map(({ month }) => month))
  for (const month of months) {
    const [year = 0, number = 0] = month.split('_').map(Number)
    const end = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10)
    for (const [table, isHourly] of TABLES) {
      const bound = (day: string) => sql.lit(isHourly ? `${day}T00:00:00Z` : day)
      await sql`
        create table ${sql.table(`facts.${table}_${month}`)} partition of ${sql.table(`facts.${table}`)}
        for values from (${bound(`${month.replace('_', '-')}-01`)}) to (${bound(end)})`.execute(db)
    }
  }
  await sql`
    insert into facts.owners (campaign_id, space_id, whitelabel_id)
    select campaign_id, space_id, whitelabel_id from facts_before.rows
    union select campaign_id, space_id, whitelabel_id from facts_before.days`.execute(db)
  const texts = DIMENSIONS.map((name) => `select ${name} as name from facts_before.rows`).join(' union ')
  await sql`
    insert into facts.names (digest, name)
    select substring(sha256(convert_to(name, 'UTF8')) from 1 for 16), name
    from (${sql.raw(texts)} union select key from facts_before.days where grouping not in ('total', 'device_type_key')) as all_names`.execute(
    db,
  )
  const sums = sql.raw(SUMS.join(', '))
  const notZero = sql.raw(SUMS.map((sum) => `nullif(f.${sum}, 0)`).join(', '))
  await sql`
    insert into facts.rows (hour, owner, ${sql.raw(DIMENSIONS.join(', '))}, device_type_key, ${sums})
    select f.hour, o.id, ${sql.raw(DIMENSIONS.map((name) => `n_${name}.id`).join(', '))}, f.device_type_key, ${notZero}
    from facts_before.rows f join facts.owners o using (campaign_id, space_id, whitelabel_id)
    ${sql.raw(DIMENSIONS.map((name) => `join facts.names n_${name} on n_${name}.name = f.${name}`).join(' '))}`.execute(db)
  await sql`insert into facts.unsummed_days (day) select distinct (hour at time zone 'UTC')::date from facts_before.rows`.execute(
    db,
  )
  // Months whose rows were removed: their sums are all that is left.
  const rowMonths = kept.map(({ month }) => month)
  const removed = sql`to_char(f.period, 'YYYY_MM') <> all(${rowMonths})`
  await sql`
    insert into facts.hours (owner, hour, ${sums})
    select o.id, f.period, ${notZero} from facts_before.hours f join facts.owners o using (campaign_id, space_id, whitelabel_id)
    where f.grouping = 'total' and to_char(f.period at time zone 'UTC', 'YYYY_MM') <> all(${rowMonths})`.execute(db)
  await sql`
    insert into facts.day_totals (owner, day, wide, rows_removed, ${sums})
    select o.id, f.period, 0, true, ${notZero} from facts_before.days f
    join facts.owners o using (campaign_id, space_id, whitelabel_id) where f.grouping = 'total' and ${removed}`.execute(db)
  const numbers = sql.raw(GROUPINGS.map((name, n) => `('${name}', ${n + 1})`).join(', '))
  await sql`
    insert into facts.day_groups (owner, grouping, day, key, ${sums})
    select o.id, g.number, f.period, coalesce(n.id, f.key::integer), ${notZero} from facts_before.days f
    join facts.owners o using (campaign_id, space_id, whitelabel_id)
    join (values ${numbers}) as g(grouping, number) using (grouping)
    left join facts.names n on n.name = f.key and f.grouping <> 'device_type_key' where ${removed}`.execute(db)
}

/** Partitioned tables, and whether their periods are hours. */
const TABLES = [
  ['rows', true],
  ['hours', true],
  ['day_totals', false],
  ['day_groups', false],
] as const
