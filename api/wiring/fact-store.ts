import type { Wired } from '../areas/services.ts'
import { ConfigFault } from '#commands/config-fault'
import { sql, type Kysely } from 'kysely'
import { createClickHouseFactStore } from '#factstore/clickhouse/clickhouse-fact-store'
import { openClickHouse, type ClickHouse } from '#factstore/clickhouse/clickhouse'
import { causeOf, isAbsence, isBusy } from '#factstore/clickhouse/faults'
import { NewerTables, prepareTables } from '#factstore/clickhouse/tables'
import type { FactStore } from '#factstore/fact-store'
import { createPostgresFactStore, type PostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import { type Config } from '../config.ts'
import { watchOutside, type Outside } from '#commands/outside'
import type { Db } from '#migrations/db'

/** A server that does not answer for this long stops the start, milliseconds. */
const START_TIMEOUT_MS = 5000
/** The same for its tables, of which an upgrade may change the large ones. A start after it goes on. */
const PREPARE_TIMEOUT_MS = 120_000

type Opened = {
  readonly facts: FactStore
  /** How facts are stored within other transactions; null where they are outside of this database. */
  readonly here: PostgresFactStore['batches'] | null
  readonly outside: readonly Outside[]
}

/**
 * The fact store that the configuration names: ClickHouse with FACTS_URL, else the product's own PostgreSQL. Throws ConfigFault with
 * one line when ClickHouse cannot be used, or when facts of this database are in the other store: figures would silently be gone.
 */
export async function openFacts(
  { factsUrl }: Config,
  { db, logger, stops }: Pick<Wired, 'db' | 'logger' | 'stops'>,
): Promise<Opened> {
  await refuseOther(db, factsUrl !== null)
  if (factsUrl === null) {
    const facts = createPostgresFactStore(db)
    return { facts, here: facts.batches, outside: [] }
  }
  const clickhouse = await openPrepared(factsUrl)
  stops.add(() => clickhouse.close())
  const outside = watchOutside({
    name: 'ClickHouse',
    ping: clickhouse.ping,
    isAbsence,
    isBusy,
    logger,
  })
  stops.add(async () => outside.stop())
  return { facts: watched(createClickHouseFactStore(clickhouse), outside), here: null, outside: [outside] }
}

/** Asks ClickHouse once, before anything is changed. Throws ConfigFault with one line when it cannot be used. */
export async function refuseUnusableFacts({ factsUrl }: Pick<Config, 'factsUrl'>): Promise<void> {
  if (factsUrl === null) return
  const asked = openClickHouse(factsUrl)
  await inTime(asked, asked.ping())
  await asked.close()
}

async function openPrepared(url: string): Promise<ClickHouse> {
  const first = openClickHouse(url)
  await inTime(first, first.ping())
  const { replicated } = await inTime(first, prepareTables(first), PREPARE_TIMEOUT_MS)
  if (!replicated) return first
  await first.close()
  return openClickHouse(url, { quorum: true })
}

/** The answer of a server of the start; closes it and throws ConfigFault when none comes. */
async function inTime<T>(first: ClickHouse, answer: Promise<T>, ms = START_TIMEOUT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConfigFault(`FACTS_URL: ClickHouse gave no answer in ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([answer, late])
  } catch (error) {
    // Not awaited: a server that froze would keep it from closing.
    void first.close().catch(() => undefined)
    if (error instanceof ConfigFault) throw error
    throw new ConfigFault(`FACTS_URL: ${error instanceof NewerTables ? error.message : causeOf(error)}`)
  } finally {
    clearTimeout(timer)
  }
}

/** Batches that were stored prove where facts are. */
async function refuseOther(db: Kysely<Db>, isOutside: boolean): Promise<void> {
  const { rows } = await sql<{ readonly here: boolean; readonly there: boolean }>`
    select exists (select from facts.batches) as here,
           exists (select from app.delivery_batches where facts is null) and not exists (select from facts.batches) as there`.execute(
    db,
  )
  const advice = 'or use a new database'
  if (isOutside && rows[0]?.here === true)
    throw new ConfigFault(`FACTS_URL: the delivered facts of this database are in PostgreSQL; unset it, ${advice}`)
  if (!isOutside && rows[0]?.there === true)
    throw new ConfigFault(`FACTS_URL: the delivered facts of this database are in ClickHouse; set it to that server, ${advice}`)
}

/** The same store, whose calls reject with Away while it is away. */
const watched = (facts: FactStore, { isAway, pages, run }: Outside): FactStore => ({
  isAway,
  store: (batch) => run(() => facts.store(batch)),
  totals: (filter) => run(() => facts.totals(filter)),
  series: (filter, step) => run(() => facts.series(filter, step)),
  groups: (filter, grouping, page) => run(() => facts.groups(filter, grouping, page)),
  byCampaign: (filter) => run(() => facts.byCampaign(filter)),
  daysByCampaign: (filter) => run(() => facts.daysByCampaign(filter)),
  sources: (filter) => pages(facts.sources(filter)),
  close: () => facts.close(),
})
