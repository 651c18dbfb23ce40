import { expect, inject, test } from 'vitest'
import { Client } from 'pg'
import { migrateToLatest } from '../../migrations/index.ts'
import { createKysely, createPool } from '../../platform/database/pool.ts'
import { withDatabase } from '../support/database-url.ts'
import { createTestDatabase } from '../support/database.ts'

test('two processes that start at once migrate once', async () => {
  const name = `test_migrations_${process.pid}`
  const server = new Client({ connectionString: inject('postgresUrl') })
  await server.connect()
  await server.query(`create database ${name}`)
  const url = withDatabase(inject('postgresUrl'), name)
  const databases = [1, 2, 3].map(() => createKysely(createPool(url, { max: 2, applicationName: 'placard-test' })))
  try {
    const ran = await Promise.all(databases.map((db) => migrateToLatest(db)))
    expect(ran.filter((names) => names.includes('0001_event_store'))).toHaveLength(1)
    expect(ran.filter((names) => names.length === 0)).toHaveLength(2)
  } finally {
    await Promise.all(databases.map((db) => db.destroy()))
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  }
})

test('a test database is migrated and its own', async () => {
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
