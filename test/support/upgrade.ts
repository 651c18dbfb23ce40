import { randomBytes } from 'node:crypto'
import { Migrator, type Kysely } from 'kysely'
import { Client, type Pool } from 'pg'
import { inject } from 'vitest'
import type { Db } from '#migrations/db'
import { MIGRATIONS, migrateToLatest } from '#migrations/index'
import { createKysely, createPool } from '#platform/database/pool'
import { withDatabase } from './database-url.ts'

export type OldDatabase = {
  readonly url: string
  readonly pool: Pool
  readonly db: Kysely<Db>
  /** Runs the migrations before this one. */
  readonly upgradeUntil: (migration: string) => Promise<void>
  /** Runs the migrations that are left, as a start of the product does. */
  readonly upgrade: () => Promise<void>
  readonly drop: () => Promise<void>
}

/** An empty database as it was before this migration. */
export async function databaseBefore(migration: string): Promise<OldDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const server = new Client({ connectionString: inject('postgresUrl') })
  await server.connect()
  await server.query(`create database ${name}`)
  const url = withDatabase(inject('postgresUrl'), name)
  const pool = createPool(url, { max: 2, applicationName: 'placard-test' })
  const db = createKysely(pool)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } })
  const names = Object.keys(MIGRATIONS)
  async function upgradeUntil(later: string): Promise<void> {
    const last = names[names.indexOf(later) - 1]
    if (last === undefined) throw new Error(`there is no migration before ${later}`)
    const { error } = await migrator.migrateTo(last)
    if (error !== undefined) throw error
  }
  await upgradeUntil(migration)
  return {
    url,
    pool,
    db,
    upgradeUntil,
    upgrade: async () => void (await migrateToLatest(db)),
    drop: async () => {
      await db.destroy()
      await server.query(`drop database ${name} with (force)`)
      await server.end()
    },
  }
}
