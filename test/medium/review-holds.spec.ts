import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '#migrations/db'
import { createReviewHolds, type ReviewHolds } from '#platform/campaign/review-holds'
import { createKysely } from '#platform/database/pool'
import { moderationQueue } from '#projections/campaign/queue/queries'
import type { TestDatabase } from '../support/database.ts'
import { demoDatabase } from '../support/product.ts'

const EVERYWHERE = { whitelabelId: null, spaceId: null }

/** Fine print 101. */
describe('a hold', () => {
  let database: TestDatabase
  let db: Kysely<Db>
  let holds: ReviewHolds
  let campaignId: string
  beforeAll(async () => {
    database = await demoDatabase()
    db = createKysely(database.pool)
    holds = createReviewHolds(db)
    const { rows } = await moderationQueue(db, EVERYWHERE, { filter: 'all', personId: '' }, 0, 1)
    campaignId = rows[0]?.campaign_id ?? ''
    expect(campaignId).not.toBe('')
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    await db.deleteFrom('app.review_holds').execute()
    await db.deleteFrom('app.review_assignments').execute()
  })

  const take = (personId: string, takeOver = false) => holds.take({ campaignId, personId, takeOver })
  const pass = (minutes: number) =>
    sql`update app.review_holds set since = since - make_interval(mins => ${minutes}),
      until = until - make_interval(mins => ${minutes}), changed_at = changed_at - make_interval(mins => ${minutes})`.execute(db)
  const queueOf = async (personId: string, filter: 'all' | 'mine' | 'free') =>
    (await moderationQueue(db, EVERYWHERE, { filter, personId }, 0, 100)).rows.map(({ campaign_id }) => campaign_id)
  const nextSubmission = async () => {
    const found = await db
      .selectFrom('rm_moderation_queue')
      .select('moderation_start_at')
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow()
    return found.moderation_start_at ?? ''
  }

  it('a submission that 30 moderators take at once is held by one', async () => {
    const people = Array.from({ length: 30 }, (_, i) => `person-${i}`)
    const seen = await Promise.all(people.map((personId) => take(personId)))
    expect(new Set(seen.map((hold) => hold?.personId)).size).toBe(1)
    expect(people).toContain(seen[0]?.personId)
    const { rows } = await sql`select 1 from app.review_holds`.execute(db)
    expect(rows).toHaveLength(1)
  })

  it('a hold that 30 moderators take over at once has a holder in each answer, and one of them stays', async () => {
    await take('first')
    const people = Array.from({ length: 30 }, (_, i) => `person-${i}`)
    const seen = await Promise.all(people.map((personId) => take(personId, true)))
    expect(seen.every((hold) => hold !== null && people.includes(hold.personId))).toBe(true)
    expect(people).toContain((await holds.holdOf(campaignId))?.personId)
  })

  it('stays with the person until it ends, is renewed by them, and then is free', async () => {
    const first = await take('olga')
    expect(Date.parse(first?.until ?? '') - Date.parse(first?.since ?? '')).toBe(10 * 60_000)
    await pass(9)
    expect((await take('boris'))?.personId).toBe('olga')
    const renewed = await take('olga')
    expect(Date.parse(renewed?.until ?? '') - Date.parse(renewed?.since ?? '')).toBeGreaterThan(18 * 60_000)
    await pass(11)
    expect(await holds.holdOf(campaignId)).toBeNull()
    expect((await take('boris'))?.personId).toBe('boris')
  })

  it('a hold is taken over on purpose alone, and released by its holder alone', async () => {
    await take('olga')
    await holds.release(campaignId, 'boris')
    expect((await take('boris'))?.personId).toBe('olga')
    expect((await take('boris', true))?.personId).toBe('boris')
    await holds.release(campaignId, 'olga')
    expect((await holds.holdOf(campaignId))?.personId).toBe('boris')
    await holds.release(campaignId, 'boris')
    expect(await holds.holdOf(campaignId)).toBeNull()
  })

  it('a submission that does not wait has no hold', async () => {
    expect(await holds.take({ campaignId: 'unknown', personId: 'olga', takeOver: true })).toBeNull()
    expect(await holds.assign('unknown', 'olga')).toBe(false)
  })

  it('does not offer again what was decided, while the read model is late', async () => {
    const moderationStartAt = await nextSubmission()
    expect(await queueOf('olga', 'all')).toContain(campaignId)
    await holds.decided({ campaignId, whitelabelId: 'dsp', moderationStartAt, personId: 'olga' })
    for (const filter of ['all', 'mine', 'free'] as const) expect(await queueOf('olga', filter)).not.toContain(campaignId)
    expect(await take('boris', true)).toBeNull()
    // The next submission is another one.
    const later = new Date(Date.parse(moderationStartAt) + 1000).toISOString()
    const waits = (at: string) =>
      sql`update rm_moderation_queue set moderation_start_at = ${at} where campaign_id = ${campaignId}`.execute(db)
    await waits(later)
    expect((await take('boris'))?.personId).toBe('boris')
    // A decision that is reported late says nothing about it.
    await holds.decided({ campaignId, whitelabelId: 'dsp', moderationStartAt, personId: 'olga' })
    expect((await holds.holdOf(campaignId))?.personId).toBe('boris')
    await waits(moderationStartAt)
  })

  it('a submission cannot be assigned once it was decided, while the read model still shows it', async () => {
    await holds.decided({ campaignId, whitelabelId: 'dsp', moderationStartAt: await nextSubmission(), personId: 'olga' })
    expect(await holds.assign(campaignId, 'boris')).toBe(false)
  })

  it('a hold and an assignment make the filters of the queue', async () => {
    const of = async (person: string) => ({
      mine: (await queueOf(person, 'mine')).includes(campaignId),
      free: (await queueOf(person, 'free')).includes(campaignId),
      all: (await queueOf(person, 'all')).includes(campaignId),
    })
    expect(await of('olga')).toEqual({ mine: false, free: true, all: true })
    await take('olga')
    expect(await of('olga')).toEqual({ mine: true, free: true, all: true })
    expect(await of('boris')).toEqual({ mine: false, free: false, all: true })
    await holds.assign(campaignId, 'boris')
    expect(await of('boris')).toEqual({ mine: true, free: false, all: true })
    await holds.release(campaignId, 'olga')
    expect(await of('boris')).toEqual({ mine: true, free: true, all: true })
    expect(await of('olga')).toEqual({ mine: false, free: false, all: true })
    await holds.assign(campaignId, null)
    expect(await of('olga')).toEqual({ mine: false, free: true, all: true })
  })

  it('a hold is removed an hour after it ended, and an assignment with its submission', async () => {
    const count = async () => {
      const { rows } = await sql<{ n: number }>`
        select ((select count(*) from app.review_holds) + (select count(*) from app.review_assignments))::int as n`.execute(db)
      return rows[0]?.n
    }
    await take('olga')
    await holds.assign(campaignId, 'boris')
    await holds.purge()
    expect(await count()).toBe(2)
    await pass(80)
    await sql`update app.review_assignments set changed_at = changed_at - interval '2 hours'`.execute(db)
    await holds.purge()
    expect(await count()).toBe(1)
    await sql`update app.review_assignments set moderation_start_at = '2020-01-01T00:00:00.000Z'`.execute(db)
    await holds.purge()
    expect(await count()).toBe(0)
  })
})
