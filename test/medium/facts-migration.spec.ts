import { expect, inject, onTestFinished, test } from 'vitest'
import type { Kysely } from 'kysely'
import { Client } from 'pg'
import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import { up as factsBefore } from '#migrations/0160_facts'
import { up as facts } from '#migrations/0400_facts'
import { addFigure } from '#migrations/0690_unconfirmed_events'
import { createKysely, createPool } from '#platform/database/pool'
import { withDatabase } from '../support/database-url.ts'

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
]
const sums = (n: number) => SUMS.map((_, i) => (i % 3 === 2 ? 0 : n * (i + 1))).join(', ')

test('an upgrade keeps the sums of rows, and of months whose rows were removed before', async () => {
  const name = `test_facts_${process.pid}`
  const server = new Client({ connectionString: inject('postgresUrl') })
  await server.connect()
  await server.query(`create database ${name}`)
  const pool = createPool(withDatabase(inject('postgresUrl'), name), { max: 2, applicationName: 'placard-test' })
  onTestFinished(async () => {
    await pool.end()
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  })
  const db = createKysely(pool)
  const untyped = db as unknown as Kysely<unknown>
  await factsBefore(untyped)
  await pool.query(`insert into facts.batches (id) values ('b')`)
  await pool.query(`create table facts.rows_2026_10 partition of facts.rows for values from ('2026-10-01Z') to ('2026-11-01Z')`)
  const row = (hour: string, campaign: string, city: string, n: number) =>
    pool.query(
      `insert into facts.rows values ('${hour}', 's', 'w', '${campaign}', 3, 'one', '300x250', 'google', 'news', 'app', 'iOS', 'NG', '', $1, ${sums(n)})`,
      [city],
    )
  await row('2026-10-05T10:00:00Z', 'a', 'Լոռի', 1)
  await row('2026-10-05T10:00:00Z', 'a', 'Ikeja', 10)
  await row('2026-10-06T23:00:00Z', 'b', 'Ikeja', 100)
  // Rollups of a month with rows, which its rows replace, and of one whose rows are gone.
  for (const [period, n] of [
    ['2026-10-05', 11],
    ['2025-08-31', 1000],
  ] as const) {
    await pool.query(`insert into facts.hours values ('a', 's', 'w', 'total', '${period}T10:00:00Z', '', ${sums(n)})`)
    for (const [grouping, key] of [
      ['total', ''],
      ['city', 'Ikeja'],
      ['size', '728x90'],
      ['device_type_key', '5'],
    ])
      await pool.query(`insert into facts.days values ('a', 's', 'w', $1, '${period}', $2, ${sums(n)})`, [grouping, key])
  }

  await facts(untyped)
  await addFigure(untyped)

  const store = createPostgresFactStore(db, { fewestRows: 1, mostKeys: 1, rowsPerKey: 1, overForMinutes: 0 })
  const all = { scope: { kind: 'spaces', ids: ['s'] }, from: null, to: null } as const
  const compare = async () => {
    expect((await store.totals(all)).impressions).toBe(1111)
    expect((await store.totals(all)).conversions).toBe(0)
    expect((await store.totals({ ...all, to: '2026-01-01T00:00:00.000Z' })).spent).toBe(11_000)
    expect((await store.totals({ ...all, deviceTypeKey: 5 })).bids).toBe(0)
    expect((await store.totals({ ...all, deviceTypeKey: 5 })).clicks).toBe(2000)
    const keys = async (grouping: 'city' | 'size' | 'campaign_id' | 'device_type_key') =>
      (await store.groups(all, grouping)).rows.map(({ key, sums: { impressions } }) => [key, impressions])
    expect(await keys('city')).toEqual([
      ['Ikeja', 1110],
      ['Լոռի', 1],
    ])
    expect(await keys('size')).toEqual([
      ['728x90', 1000],
      ['300x250', 111],
    ])
    expect(await keys('device_type_key')).toEqual([
      ['5', 1000],
      ['3', 111],
    ])
    expect(await keys('campaign_id')).toEqual([
      ['a', 1011],
      ['b', 100],
    ])
    expect(
      (await store.series(all, 'hour')).map(({ start, sums: { clicks } }) => [new Date(start).toISOString(), clicks]),
    ).toEqual([
      ['2025-08-31T10:00:00.000Z', 2000],
      ['2026-10-05T10:00:00.000Z', 22],
      ['2026-10-06T23:00:00.000Z', 200],
    ])
  }
  await compare()
  while ((await store.rollUp?.()) === true);
  expect((await pool.query('select 1 from facts.day_totals')).rowCount).toBe(3)
  await compare()
  await store.store({ id: 'b', facts: [] })
  expect((await pool.query('select 1 from facts.batches')).rowCount).toBe(1)
})
