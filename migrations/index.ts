import { setTimeout as delay } from 'node:timers/promises'
import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, type MigrationResultSet, Migrator, sql } from 'kysely'
import { base } from './base/index.ts'
import * as secondKeys from './0680_second_keys.ts'
import * as unconfirmedEvents from './0690_unconfirmed_events.ts'
import * as nameKeys from './0700_name_keys.ts'
import * as frameRates from './0710_frame_rates.ts'

/** The newest migration of the version before, and so the name of the base schema: a database of that version has it. */
const BASE = '0670_labels'
const BASE_VERSION = '0.2.0'

/** In order of name. A released name never changes. The steps of versions before are in the base alone. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  [BASE]: base,
  '0680_second_keys': secondKeys,
  '0690_unconfirmed_events': unconfirmedEvents,
  '0700_name_keys': nameKeys,
  '0710_frame_rates': frameRates,
}

/**
 * Brings the database up to date, with all migrations or none, and returns the names of those that ran. Of two concurrent
 * processes the second waits and has nothing to do.
 */
export async function migrateToLatest<DB>(db: Kysely<DB>): Promise<readonly string[]> {
  refuseOthers(await migrationsRun(db))
  return migrated(db, MIGRATIONS)
}

/** How long an upgrade tries to get its locks, milliseconds. */
const TRIES_FOR_MS = 120_000
/**
 * How long it waits for a table while it holds others, and in all, milliseconds. PostgreSQL looks for deadlocks after a second: by
 * then the upgrade has given way, so that none ends the call of a user.
 */
const WAITS_HOLDING_MS = 250
const HOLDS_MS = 700
/** How long calls may queue behind the table that was busy before, for which it waits while it holds none. */
const WAITS_FREE_MS = 2000
/** A lock that others hold, and a deadlock about what is no table. */
const BUSY = ['55P03', '40P01']

/**
 * Runs what is missing of these, all or none, beside a product in use. Every table is locked first, so that migrations may take them
 * in any order; a try that does not get all of them soon gives them back.
 */
export async function migrated<DB>(db: Kysely<DB>, migrations: typeof MIGRATIONS): Promise<readonly string[]> {
  const until = performance.now() + TRIES_FOR_MS
  const locks: Locks = { busy: null }
  for (;;) {
    const ran = await migrationsRun(db)
    const [first] = Object.keys(migrations)
      .filter((name) => !ran.includes(name))
      .toSorted()
    // The migrator wants to know every migration that ran, also those that are in the base now.
    const known = { ...Object.fromEntries(ran.map((name) => [name, RAN])), ...migrations }
    const { error, results }: MigrationResultSet = await migrating(db, known, first, locks)
    if (error === undefined) return (results ?? []).map((result) => result.migrationName)
    const { code, message } = causeOf(error)
    if (!BUSY.includes(code) || performance.now() > until) {
      const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'the first step'
      const held = locks.busy === null ? '' : ` (others held ${locks.busy})`
      throw new Error(`migration failed at ${failed}: ${message}${held}`, { cause: error })
    }
    // Random, so that two that compete do not stay in step.
    await delay(50 + Math.random() * 200)
  }
}

const RAN: Migration = { up: () => Promise.reject(new Error('this migration ran already')) }

/** The table that the last try did not get. */
type Locks = { busy: string | null }

const causeOf = (error: unknown): { readonly code: string; readonly message: string } =>
  error instanceof Error
    ? { code: 'code' in error && typeof error.code === 'string' ? error.code : '', message: error.message }
    : { code: '', message: String(error) }

function migrating<DB>(db: Kysely<DB>, migrations: typeof MIGRATIONS, first: string | undefined, locks: Locks) {
  const missing = first === undefined ? undefined : migrations[first]
  const behindLocks: typeof MIGRATIONS =
    first === undefined || missing === undefined
      ? migrations
      : {
          ...migrations,
          [first]: {
            up: async (tx) => {
              await lockTables(tx, locks)
              await missing.up(tx)
            },
          },
        }
  return new Migrator({ db, provider: { getMigrations: async () => ({ ...behindLocks }) } }).migrateToLatest()
}

/** Locks every table of the product against calls, the one that was busy first. */
async function lockTables(tx: Kysely<unknown>, locks: Locks): Promise<void> {
  // A table is locked with its partitions.
  const { rows } = await sql<{ readonly name: string }>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('app', 'es', 'facts', 'identity') order by 1`.execute(
    tx,
  )
  async function lock(name: string, ms: number): Promise<void> {
    locks.busy = name
    await sql`${sql.raw(`set local lock_timeout = ${ms}`)}`.execute(tx)
    await sql`${sql.raw(`lock table ${name} in access exclusive mode`)}`.execute(tx)
  }
  if (locks.busy !== null) await lock(locks.busy, WAITS_FREE_MS)
  const since = performance.now()
  for (const { name } of rows)
    await lock(name, Math.max(1, Math.min(WAITS_HOLDING_MS, Math.floor(HOLDS_MS - (performance.now() - since)))))
  locks.busy = null
}

/** Brings an empty database to where one had run these migrations and no others: a backup fits it. */
export async function migrateThrough<DB>(db: Kysely<DB>, names: readonly string[]): Promise<void> {
  refuseOthers(names)
  await migrated(db, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => names.includes(name))))
}

/**
 * Throws with one line unless the database has exactly the migrations of this build. For command-line tools: only the product
 * upgrades a database.
 */
export async function requireLatest<DB>(db: Kysely<DB>): Promise<void> {
  const ran = new Set(await migrationsRun(db))
  refuseOlder([...ran])
  const later = laterThanThis([...ran])
  const missing = Object.keys(MIGRATIONS).find((name) => !ran.has(name))
  if (ran.size === 0) throw new Error('this database was never migrated: start the product on it first')
  if (later !== undefined) throw new Error(`this database has migration ${later} of a newer build: use the tools of that build`)
  if (missing !== undefined)
    throw new Error(`this database lacks migration ${missing} of this build: start the product of this build on it first`)
}

const laterThanThis = (ran: readonly string[]): string | undefined => ran.find((name) => name > BASE && !(name in MIGRATIONS))

/** Throws with one line for what a newer build made, or one before the version before. Nothing at all is fine. */
function refuseOthers(ran: readonly string[]): void {
  const later = laterThanThis(ran)
  if (later !== undefined) throw newer(later)
  refuseOlder(ran)
}

function refuseOlder(ran: readonly string[]): void {
  if (ran.length > 0 && !ran.includes(BASE))
    throw new UnfitDatabase(
      `this database was made before version ${BASE_VERSION}: upgrade it by ${BASE_VERSION} first (docs/upgrading.md)`,
    )
}

/** The database is of a version that this build neither reads nor upgrades; the message says what to do, in one line. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase'
}

const newer = (migration: string) =>
  new UnfitDatabase(
    `this database was upgraded by a newer build (migration ${migration}): start that build, or restore a backup of before`,
  )

async function migrationsRun<DB>(db: Kysely<DB>): Promise<readonly string[]> {
  const { rows: found } = await sql<{ known: boolean }>`
    select to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null as known`.execute(db)
  if (found[0]?.known !== true) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}
