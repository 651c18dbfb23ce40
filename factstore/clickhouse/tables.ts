import { DIMENSIONS, MEASURES } from '#domain/delivery/batch'
import type { ClickHouse } from './clickhouse.ts'

/** Sums of every fact. */
export const SUMS = [...MEASURES, 'spent', 'overdelivered'] as const
/** Owners of facts: columns that every rollup keeps, in the order in which rows are sorted. */
const OWNERS = ['whitelabel_id', 'space_id', 'campaign_id'] as const

/** Blocks whose tokens a table remembers. At ten batches a second these are the last hours. */
const TOKENS_KEPT = 100_000

/** Names a table engine and the settings that depend on it. The only place that knows whether the tables are replicated. */
function engine(replicated: boolean): { readonly name: string; readonly settings: string } {
  return {
    name: replicated ? 'ReplicatedMergeTree' : 'MergeTree',
    settings: [
      replicated
        ? `replicated_deduplication_window = ${TOKENS_KEPT}, replicated_deduplication_window_seconds = 604800`
        : `non_replicated_deduplication_window = ${TOKENS_KEPT}`,
      // An acknowledged part survives a loss of power.
      'fsync_after_insert = 1, fsync_part_directory = 1',
    ].join(', '),
  }
}

/**
 * A rollup within every part of the rows: written with the part and merged with it, so that rows and sums cannot disagree, whatever
 * crashes. The engine reads it instead of the rows where it holds what a query needs.
 */
function rollup(name: string, keys: readonly string[], sums: readonly string[]): string {
  const all = [...OWNERS, ...keys].join(', ')
  return `projection ${name} (select ${all}, ${sums.map((sum) => `sum(${sum})`).join(', ')} group by ${all})`
}

/** The rollups of a version, by the end of their names. */
const rollups = (sums: readonly string[], version: string): readonly string[] => [
  rollup(`by_hour${version}`, ['hour'], sums),
  rollup(`by_day${version}`, ['day'], sums),
  ...DIMENSIONS.map((column) => rollup(`by_day_and_${column}${version}`, ['day', column], sums)),
]
const altered = (changes: readonly string[]): string => `alter table facts ${changes.join(', ')}`
const nameOf = (declared: string): string => declared.split(' ')[1] ?? ''

/** Names of campaigns, sizes and places repeat in every row; ids of batches do not. */
const typeOf = (column: string): string => (column === 'device_type_key' ? 'UInt8' : 'LowCardinality(String)')

/** The tables by version: a change is a new version, whose statements may be repeated. */
function versions(replicated: boolean): readonly (readonly string[])[] {
  const { name, settings } = engine(replicated)
  const first = SUMS.filter((sum) => sum !== 'unconfirmed_conversions')
  return [
    [
      `create table if not exists facts (
        hour DateTime('UTC') codec(Delta, ZSTD), day Date codec(Delta, ZSTD), batch_id String codec(ZSTD),
        whitelabel_id LowCardinality(String), space_id LowCardinality(String), campaign_id String codec(ZSTD),
        ${DIMENSIONS.map((column) => `${column} ${typeOf(column)}`).join(', ')},
        ${first.map((column) => `${column} Int64 codec(T64, ZSTD)`).join(', ')},
        ${rollups(first, '').join(', ')}
      ) engine = ${name} partition by toYYYYMM(hour) order by (whitelabel_id, space_id, campaign_id, hour) settings ${settings}`,
      `create table if not exists fact_batches (id String, stored_at DateTime('UTC') default now('UTC'))
       engine = ${name} order by id settings ${settings}, index_granularity = 256`,
    ],
    // A rollup has every sum that is asked for, or the engine reads the rows. Old parts get theirs in the background.
    [
      altered([
        'add column if not exists unconfirmed_conversions Int64 codec(T64, ZSTD)',
        ...rollups(SUMS, '_2').map((declared) => `add ${declared.replace('projection', 'projection if not exists')}`),
        ...rollups(first, '').map((declared) => `drop projection if exists ${nameOf(declared)}`),
      ]),
      altered(rollups(SUMS, '_2').map((declared) => `materialize projection ${nameOf(declared)}`)),
    ],
  ]
}

/**
 * Creates the tables that are missing; any number of processes may do so at once. On a database of the engine `Replicated` the
 * tables are replicated. Returns whether they are. Throws when a newer Placard has changed them.
 */
export async function prepareTables(clickhouse: ClickHouse): Promise<{ readonly replicated: boolean }> {
  const [database] = await clickhouse.query<{ readonly engine: string }>(
    'select engine from system.databases where name = currentDatabase()',
  )
  // Another server may answer anything with a page.
  if (database === undefined) throw new Error('the server did not name the engine of its database')
  const replicated = database.engine === 'Replicated'
  await clickhouse.run(
    `create table if not exists fact_versions (version UInt32) engine = ${engine(replicated).name} order by version`,
  )
  const rows = await clickhouse.query<{ readonly version: number }>('select distinct version from fact_versions')
  const known = new Set(rows.map(({ version }) => version))
  const all = versions(replicated)
  if ([...known].some((version) => version > all.length)) throw new NewerTables('its tables are of a newer version of Placard')
  for (const [i, statements] of all.entries()) {
    if (known.has(i + 1)) continue
    for (const statement of statements) await clickhouse.run(statement)
    await clickhouse.insert('fact_versions', [{ version: i + 1 }], `version ${i + 1}`)
  }
  return { replicated }
}

export class NewerTables extends Error {}
