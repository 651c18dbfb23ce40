import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { Client } from 'pg'
import { migrateToLatest, requireLatest } from '#migrations/index'
import { createKysely, createPool } from '#platform/database/pool'
import { runTool } from '../support/command-line.ts'
import { withDatabase } from '../support/database-url.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

test('two processes that start concurrently migrate once', async () => {
  const name = `test_migrations_${process.pid}`
  const server = new Client({ connectionString: inject('postgresUrl') })
  await server.connect()
  await server.query(`create database ${name}`)
  const url = withDatabase(inject('postgresUrl'), name)
  const databases = [1, 2, 3].map(() => createKysely(createPool(url, { max: 2, applicationName: 'placard-test' })))
  try {
    const ran = await Promise.all(databases.map((db) => migrateToLatest(db)))
    expect(ran.filter((names) => names.includes('0670_labels'))).toHaveLength(1)
    expect(ran.filter((names) => names.length === 0)).toHaveLength(2)
  } finally {
    await Promise.all(databases.map((db) => db.destroy()))
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  }
})

test('every test database is migrated and separate', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()])
  try {
    await one.pool.query('insert into es.subscriptions (name, generation, version, status, tables) values ($1, 1, 1, $2, $3)', [
      'x',
      'live',
      [],
    ])
    const { rows } = await two.pool.query<{ count: bigint }>('select count(*) from es.subscriptions')
    expect(rows).toEqual([{ count: 0n }])
  } finally {
    await Promise.all([one.drop(), two.drop()])
  }
})

describe('a tool on a database of another build', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(() => database.drop())

  const check = () => requireLatest(createKysely(database.pool))
  const ran = async () => (await database.pool.query<{ name: string }>('select name from kysely_migration')).rows.length

  test('distinguishes a new, an older and a newer database', async () => {
    await check()
    await database.pool.query(`insert into kysely_migration (name, timestamp) values ('9999_later', '')`)
    await expect(check()).rejects.toThrow('this database has migration 9999_later of a newer build: use the tools of that build')
    await database.pool.query(`delete from kysely_migration where name >= '0700'`)
    await expect(check()).rejects.toThrow(
      'this database lacks migration 0700_name_keys of this build: start the product of this build',
    )
    await database.pool.query(`update kysely_migration set name = '0100_erasures' where name = '0670_labels'`)
    await expect(check()).rejects.toThrow('this database was made before version 0.2.0: upgrade it by 0.2.0 first')
    await expect(migrateToLatest(createKysely(database.pool))).rejects.toThrow('this database was made before version 0.2.0')
    await database.pool.query('drop table kysely_migration')
    await expect(check()).rejects.toThrow('this database was never migrated: start the product on it first')
  })

  test.each([
    ['audit', ['verify', 'x']],
    ['projections', ['status']],
    ['privacy', ['erase', 'x', '--yes']],
  ])('npm run %s reports a database of another build, and changes nothing', async (tool, args) => {
    await database.pool.query(`delete from kysely_migration where name >= '0690'`)
    const before = await ran()
    const answer = await runTool(`api/cli/${tool}.ts`, args, database.url)
    expect(answer.err).toMatch(/^this database lacks migration 0690_unconfirmed_events/)
    expect([answer.code, await ran()]).toEqual([1, before])
  })
})
