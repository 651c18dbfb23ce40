import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchFaults } from '#domain/delivery/batch'
import { createPostgresFactStore } from '#factstore/postgres/postgres-fact-store'
import { createKysely } from '#platform/database/pool'
import { createAudienceUploads } from '#platform/audience/audience-uploads'
import { removeOldBatches } from '#platform/delivery/retention'
import { removeOldSecurityEvents } from '#platform/identity/old-security-events'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { testClock } from '../support/test-clock.ts'

describe('retention of data that only grows', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())
  const db = () => createKysely(database.pool)
  const query = (text: string) => database.pool.query<{ id: string }>(text)
  const ids = async (table: string) => (await query(`select id::text from ${table} order by id`)).rows.map(({ id }) => id)

  it('batch ids have an end, but for those with charges, with facts that wait, or of late', async () => {
    await query(`insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered, received_at, facts) values
      ('old', '', 1, 0, 0, now() - interval '121 days', null), ('older', '', 1, 0, 0, now() - interval '122 days', null),
      ('charged', '', 1, 1, 0, now() - interval '121 days', null), ('waits', '', 1, 0, 0, now() - interval '121 days', '[]'),
      ('demo/2026-01-01', '', 1, 0, 0, now() - interval '121 days', null), ('young', '', 1, 0, 0, now() - interval '119 days', null)`)
    await query(
      `insert into app.delivery_charges (batch_id, space_id, campaign_id, hour, amount) values ('charged', 's', 'c', now(), 1)`,
    )
    expect(await removeOldBatches(db(), 120, 1)).toBe(1)
    expect(await ids('app.delivery_batches')).not.toContain('older')
    expect(await removeOldBatches(db(), 120, 10)).toBe(1)
    expect(await ids('app.delivery_batches')).toEqual(['charged', 'demo/2026-01-01', 'waits', 'young'])
  })

  it('a row of an hour that is older than batches are remembered is refused, because a repeat would count again', () => {
    const served = [{ from: '2025-01-01T00:00:00.000Z', to: null }]
    const campaigns = new Map([['c', { id: 'c', served } as never]])
    const rows = [
      { campaign_id: 'c', hour: '2026-01-01T00:00:00.000Z' },
      { campaign_id: 'c', hour: '2026-01-01T01:00:00.000Z' },
    ]
    const faults = batchFaults(rows, campaigns, '2026-06-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z')
    expect(faults.map(({ path, code }) => [path, code])).toEqual([['rows[0].hour', 2]])
  })

  it('rows of facts have an end by whole months, and ids of their batches, and the sums stay', async () => {
    const store = createPostgresFactStore(db())
    const fact = (hour: string) => ({
      hour,
      space_id: 's',
      whitelabel_id: 'w',
      campaign_id: 'c',
      device_type_key: 1,
      creative_id: 'x',
      size: '1x1',
      exchange: 'e',
      publisher: 'p',
      app_or_site: 'a',
      os: 'o',
      country: 'NG',
      region: 'r',
      city: 'y',
      impressions: 1,
      clicks: 0,
      conversions: 0,
      unique_conversions: 0,
      conversions_unique_bid: 0,
      bids: 0,
      reach: 0,
      bounces: 0,
      engagements: 0,
      completed_views: 0,
      unconfirmed_conversions: 0,
      spent: 5,
      billed: 5,
      overdelivered: 0,
    })
    await store.store({ id: 'old', facts: [fact('2020-01-05T00:00:00.000Z'), fact('2020-02-05T00:00:00.000Z')] })
    await store.store({ id: 'new', facts: [fact(testClock.at().slice(0, 13) + ':00:00.000Z')] })
    await query(`update facts.batches set stored_at = now() - interval '200 days' where id = 'old'`)
    const of = { scope: { kind: 'spaces', ids: ['s'] }, from: null, to: null } as const
    const rows = async () => (await database.pool.query(`select 1 from facts.rows`)).rowCount
    await store.removeOld?.({ batchDays: 121, rowMonths: null, limit: 10 })
    expect(await ids('facts.batches')).toEqual(['new'])
    expect(await rows()).toBe(3)
    for (const left of [2, 1, 1]) {
      await store.removeOld?.({ batchDays: 121, rowMonths: 13, limit: 10 })
      expect(await rows()).toBe(left)
    }
    expect((await store.totals(of)).spent).toBe(15)
    expect((await store.byCampaign(of)).get('c')?.spent).toBe(15)
    // Late rows of a removed month are added to its sums.
    await createPostgresFactStore(db()).store({
      id: 'late',
      facts: [fact('2020-01-05T00:00:00.000Z'), fact('2020-01-06T00:00:00.000Z')],
    })
    for (const grouping of ['city', 'campaign_id', 'year'] as const)
      expect(
        (await store.groups({ ...of, to: '2021-01-01T00:00:00.000Z' }, grouping)).rows.map(({ sums }) => sums.spent),
      ).toEqual([20])
    while ((await store.rollUp?.()) === true);
    expect((await store.totals(of)).spent).toBe(25)
    expect((await store.series(of, 'hour')).map(({ sums }) => sums.spent)).toEqual([10, 5, 5, 5])
  })

  it('security events have an end, but never those of the last 90 days', async () => {
    await query(`insert into app.security_events (at, type, details, count)
      select now() - make_interval(days => d), 'sign-in', '{}', 1 from unnest(array[500, 400, 80, 1]) d`)
    expect(await removeOldSecurityEvents(db(), 365, 1)).toBe(1)
    expect(await removeOldSecurityEvents(db(), 365, 100)).toBe(1)
    expect(await removeOldSecurityEvents(db(), 365, 100)).toBe(0)
    await expect(removeOldSecurityEvents(db(), 60, 100)).rejects.toThrow('append-only')
    expect(await ids('app.security_events')).toHaveLength(2)
  })

  it('rejected rows of audiences have an end', async () => {
    await query(`insert into app.audience_uploads (id, audience_id, space_id, whitelabel_id, state, received_at) values
      ('u-old', 'a', 's', 'w', 'recorded', now() - interval '91 days'), ('u-new', 'a', 's', 'w', 'recorded', now())`)
    await query(
      `insert into app.audience_rejected_rows (upload_id, part, rows) values ('u-old', 0, '[]'), ('u-old', 1, '[]'), ('u-new', 0, '[]')`,
    )
    const uploads = createAudienceUploads(db())
    await uploads.removeRejectedRows(90, 1)
    await uploads.removeRejectedRows(90, 10)
    const { rows } = await database.pool.query(`select upload_id from app.audience_rejected_rows`)
    expect(rows).toEqual([{ upload_id: 'u-new' }])
  })
})
