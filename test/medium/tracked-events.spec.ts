import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewEvent } from '#commands/events/events-port'
import { confirmationFact, conversionFact } from '#domain/events/conversion-fact'
import { createKysely } from '#platform/database/pool'
import { createEventQueries } from '#platform/events/event-queries'
import { createPixelKeys } from '#platform/events/pixel-keys'
import { createTrackedEvents } from '#platform/events/tracked-events'
import { newId } from '#platform/ids'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const event = (id: string, time: string): NewEvent => ({
  id,
  time,
  name: 'seen',
  value: null,
  device_model: null,
  url: null,
  custom_parameters: {},
  campaign_id: null,
  source: 'server',
  conversion: null,
  visitor: id,
  mark: null,
})

describe('tracked events in PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())
  const open = () => createKysely(database.pool)

  it('removes events that are older than an instant, so many at once, and no other', async () => {
    const db = open()
    const reads = createEventQueries(db)
    const place = { spaceId: newId(), whitelabelId: 'wl' }
    const old = ['2025-01-01', '2025-01-02', '2025-01-03'].map((day) => event(day, `${day}T00:00:00.000Z`))
    await createTrackedEvents(db).add(place, [...old, event('kept', '2025-02-01T00:00:00.000Z')])
    const before = '2025-02-01T00:00:00.000Z'
    expect([await reads.purge(before, 2), await reads.purge(before, 2), await reads.purge(before, 2)]).toEqual([2, 1, 0])
    const reach = { spaceId: place.spaceId, whitelabelId: null }
    const { rows } = await reads.page({ reach, from: null, to: null, name: null, unconfirmed: false, page: 0, size: 10 })
    expect(rows.map(({ id }) => id)).toEqual(['kept'])
  })

  it('reads a page of an account with many events by its index', async () => {
    const db = open()
    const spaceId = newId()
    await sql`
      insert into app.tracked_events (space_id, id, whitelabel_id, name, time, custom_parameters, source, visitor)
      select case n % 200 when 0 then ${spaceId} else 'other' || (n % 7) end, n::text, 'wl', 'seen',
             '2026-01-01'::timestamptz + n * interval '1 minute', '{}', 'pixel', n::text
      from generate_series(1, 20000) n`.execute(db)
    await sql`analyze app.tracked_events`.execute(db)
    const { rows } = await sql<{ readonly 'QUERY PLAN': string }>`
      explain select id from app.tracked_events where space_id = ${spaceId} and mark is null order by time desc, id limit 10`.execute(
      db,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('tracked_events_confirmed_by_space_id')
    expect(plan).not.toMatch(/Sort|Seq Scan/)
  })

  it('counts a conversion in one batch when two processes gather at once', async () => {
    const db = open()
    const log = createTrackedEvents(db)
    const place = { spaceId: newId(), whitelabelId: 'wl' }
    const dimensions = { creative_id: '', size: '', device_type_key: 2, os: '', country: '' }
    const conversion = (id: string): NewEvent => ({
      ...event(id, '2026-11-10T10:00:00.000Z'),
      campaign_id: 'campaign',
      conversion: dimensions,
    })
    await log.add(place, [conversion('first')])
    const blocker = await database.pool.connect()
    await blocker.query('begin; lock table app.delivery_batches in exclusive mode')
    const gathering = log.gather(place.spaceId, 100, conversionFact)
    // The first one has chosen its conversions once it waits for the table.
    await expect.poll(() => waitingFor(database)).toBe(1)
    await log.add(place, [conversion('second')])
    const other = log.gather(place.spaceId, 100, conversionFact)
    await expect.poll(() => waitingFor(database)).toBe(2)
    await blocker.query('commit')
    blocker.release()
    const batches = await Promise.all([gathering, other])
    expect(batches.map((batch) => batch?.facts.length)).toEqual([1, 1])
  })

  it('counts a conversion that is gathered as unconfirmed and confirmed at once as a conversion alone', async () => {
    const db = open()
    const log = createTrackedEvents(db)
    const place = { spaceId: newId(), whitelabelId: 'wl' }
    const campaign = newId()
    const conversion = { creative_id: '', size: '', device_type_key: 2, os: '', country: '' }
    const time = '2026-11-10T10:00:00.000Z'
    await log.add(place, [{ ...event('late', time), campaign_id: campaign, conversion, mark: 'click' }])
    const blocker = await database.pool.connect()
    await blocker.query('begin; lock table app.delivery_batches in exclusive mode')
    const gathering = log.gather(place.spaceId, 100, conversionFact)
    await expect.poll(() => waitingFor(database)).toBe(1)
    const confirming = log.confirm(campaign, [Date.parse('2026-11-10')], 100, confirmationFact)
    await expect.poll(() => waitingFor(database)).toBe(2)
    await blocker.query('commit')
    blocker.release()
    const [first, { batch }] = await Promise.all([gathering, confirming])
    const facts = [first, batch, await log.gather(place.spaceId, 100, conversionFact)].flatMap((one) => one?.facts ?? [])
    const sum = (of: 'conversions' | 'unconfirmed_conversions' | 'unique_conversions') =>
      facts.reduce((all, fact) => all + fact[of], 0)
    expect([sum('conversions'), sum('unconfirmed_conversions'), sum('unique_conversions')]).toEqual([1, 0, 1])
  })

  it('finds campaigns that wait for a click in pages, and those that a click confirms', async () => {
    const log = createTrackedEvents(open())
    const place = { spaceId: newId(), whitelabelId: 'wl' }
    const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((letter) => `wait-${letter}-${place.spaceId}`)
    const waits = (id: string, campaign: string, mark: 'click' | 'origin' | null = 'click'): NewEvent => ({
      ...event(id, '2026-11-10T10:00:00.000Z'),
      campaign_id: campaign,
      mark,
    })
    await log.add(place, [waits('1', a), waits('2', a), waits('3', b), waits('4', c, 'origin'), waits('5', c, null)])
    expect(await log.unclicked('wait-', 1)).toEqual([a])
    expect(await log.unclicked(a, 10)).toEqual([b])
    const on = (day: string) => [Date.parse(day)]
    const clicks = [on('2026-10-10'), on('2026-10-11'), on('2026-11-10'), on('2026-11-11')]
    const confirmable = await Promise.all(
      clicks.map((days) =>
        log.confirmable(
          new Map([
            [a, days],
            [c, days],
          ]),
        ),
      ),
    )
    expect(confirmable).toEqual([[], [a], [a], []])
    const confirmed = () => log.confirm(a, on('2026-10-11'), 1, confirmationFact)
    expect([await confirmed(), await confirmed(), await confirmed()]).toMatchObject([
      { confirmed: 1, batch: null },
      { confirmed: 1, batch: null },
      { confirmed: 0, batch: null },
    ])
  })

  it('gives an account one key, also when it is asked for at once', async () => {
    const keys = createPixelKeys(open())
    const spaceId = newId()
    const given = await Promise.all(Array.from({ length: 5 }, async () => (await keys.of(spaceId)).key))
    expect(new Set(given).size).toBe(1)
    expect(await keys.withKey(given[0] ?? '')).toMatchObject({ spaceId, enabled: true, origins: [] })
    expect(await keys.withKey('px_unknown')).toBeNull()
  })
})

/** Sessions of this database that wait for a lock. */
async function waitingFor({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.n ?? 0
}
