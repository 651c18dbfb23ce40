import { randomBytes } from 'node:crypto'
import { Client, type Pool } from 'pg'
import { inject } from 'vitest'
import { createPool } from '#platform/database/pool'
import { withDatabase } from './database-url.ts'
import { eventually } from './events.ts'

/** An arbitrary number: all test processes take the same lock, because a template can only be cloned once at a time. */
const CLONE_LOCK = 7_201_311
/** Taken while a template is made. */
const TEMPLATE_LOCK = 7_201_312

export type TestDatabase = {
  readonly url: string
  readonly pool: Pool
  /** Closes the pool, cuts every other connection and removes the database. May be called twice. */
  drop(): Promise<void>
}

/**
 * A clone of `template`, which is migrated and empty unless another one is named. A clone takes about a tenth of a second:
 * create one per file instead of one per test where possible.
 */
export async function createTestDatabase(template: string = inject('postgresTemplate')): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [CLONE_LOCK])
    await client.query(`create database ${name} template ${template}`)
  })
  const url = withDatabase(inject('postgresUrl'), name)
  const pool = createPool(url, { max: 10, applicationName: 'placard-test', mayNest: true })
  let dropped: Promise<void> | undefined
  const drop = async (): Promise<void> => {
    if (!pool.ended) await pool.end()
    await onServer(async (client) => {
      await client.query(`drop database if exists ${name} with (force)`)
    })
  }
  return { url, pool, drop: () => (dropped ??= drop()) }
}

/** Makes a template named `name`, once for all test processes: `fill` gets an empty, migrated database. */
export async function createTemplate(name: string, fill: (url: string) => Promise<void>): Promise<void> {
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 1) return
    const unfinished = `${name}_unfinished`
    await client.query(`drop database if exists ${unfinished} with (force)`)
    await client.query(`create database ${unfinished} template ${inject('postgresTemplate')}`)
    await fill(withDatabase(inject('postgresUrl'), unfinished))
    await client.query(`alter database ${unfinished} rename to ${name}`)
  })
}

/** Runs one statement in a database, on its own connection. */
export const runOn = (url: string, statement: string, values: readonly unknown[] = []): Promise<void> =>
  onServer(async (client) => void (await client.query(statement, [...values])), url)

/** How many statements of the pool's database wait for a lock: the server has databases of other files too. */
export async function blockedIn(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount ?? 0
}

/** True once a statement of the pool's database waits for a lock; false when the work has ended without. */
export async function untilBlocked(pool: Pool, work: Promise<unknown>): Promise<boolean> {
  let isOver = false
  void work.catch(() => undefined).finally(() => (isOver = true))
  let isBlocked = false
  await eventually(async () => {
    isBlocked = (await blockedIn(pool)) > 0
    return isOver || isBlocked
  })
  return isBlocked
}

async function onServer(work: (client: Client) => Promise<void>, url = inject('postgresUrl')): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
