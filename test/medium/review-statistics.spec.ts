import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isReviewed } from '#domain/campaign/review/review-authors'
import { reviewDueAt } from '#domain/campaign/review/review-time'
import type { Db } from '#migrations/db'
import { createKysely } from '#platform/database/pool'
import { decisionsByDay, decisionSums, queueByDay } from '#projections/campaign/queue/statistics'
import type { TestDatabase } from '../support/database.ts'
import { demoDatabase } from '../support/product.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.parse('2030-03-01T00:00:00.000Z')
const iso = (instant: number) => new Date(instant).toISOString()
const dayOf = (instant: number) => iso(instant).slice(0, 10)
const RANGE = { from: dayOf(START), to: dayOf(START + 27 * DAY) }

type Step = { readonly type: string; readonly at: number; readonly actor?: string; readonly fields?: readonly string[] }

/** Fine print 101. */
describe('statistics of moderation', () => {
  let database: TestDatabase
  let db: Kysely<Db>
  let position = 1_000_000_000
  beforeAll(async () => {
    database = await demoDatabase()
    db = createKysely(database.pool)
  })
  afterAll(() => database.drop())

  /** The rows that the read model has for the histories of some campaigns. */
  async function write(whitelabel: string, histories: readonly (readonly Step[])[]): Promise<void> {
    const rows = histories
      .flatMap((steps, campaign) => steps.map((step) => ({ ...step, campaign: `${whitelabel}-${campaign}` })))
      .toSorted((a, b) => a.at - b.at)
    for (const { type, at, actor = 'ada', fields = null, campaign } of rows) {
      position += 1
      await sql`
        insert into rm_audit_log (position, version, revision, whitelabel_id, space_id, kind, subject_id, type, actor, role, source, at, fields)
        values (${position}, 1, 1, ${whitelabel}, 'space', 'campaign', ${campaign}, ${type}, ${actor}, 'WL_MODERATOR', 'api', ${iso(at)}, ${fields === null ? null : [...fields]})`.execute(
        db,
      )
      await sql`
        insert into rm_audit_days as d values (${dayOf(at)}, ${position}, ${position})
        on conflict (day) do update set first_position = least(d.first_position, excluded.first_position),
          last_position = greatest(d.last_position, excluded.last_position)`.execute(db)
    }
  }
  const submitted = (at: number): Step => ({ type: 'CampaignSubmitted', at })
  const decided = (type: 'CampaignApproved' | 'CampaignRejected', at: number, actor: string): Step => ({ type, at, actor })
  const sums = (whitelabelId: string) => decisionSums(db, { whitelabelId, ...RANGE }, isReviewed)

  // covers FP-101
  it('statistics of moderation count decisions by moderator and day, with the median and the 90th percentile of the time', async () => {
    const times = [10, 20, 30, 40, 100]
    await write(
      'wl-count',
      times.map((minutes, i) => {
        const at = START + i * DAY + HOUR
        return [
          submitted(at),
          decided(i === 4 ? 'CampaignRejected' : 'CampaignApproved', at + minutes * MINUTE, i < 3 ? 'olga' : 'boris'),
        ]
      }),
    )
    // Another white-label, a policy, and days outside the range count nothing.
    await write('wl-other', [[submitted(START), decided('CampaignApproved', START + HOUR, 'olga')]])
    await write('wl-count', [
      [submitted(START), decided('CampaignApproved', START + HOUR, 'system:policy')],
      [submitted(START - 2 * DAY), decided('CampaignApproved', START - DAY, 'olga')],
    ])
    const [total, ...moderators] = await sums('wl-count')
    expect(total).toMatchObject({ moderator_id: null, approved: 4, rejected: 1, median_minutes: 30 })
    expect(total?.p90_minutes).toBeCloseTo(76)
    expect(moderators).toMatchObject([
      { moderator_id: 'olga', approved: 3, rejected: 0, median_minutes: 20 },
      { moderator_id: 'boris', approved: 1, rejected: 1, median_minutes: 70 },
    ])
    expect(await decisionsByDay(db, { whitelabelId: 'wl-count', ...RANGE })).toEqual(
      times.map((_, i) => ({
        day: dayOf(START + i * DAY),
        moderator_id: i < 3 ? 'olga' : 'boris',
        approved: i === 4 ? 0 : 1,
        rejected: i === 4 ? 1 : 0,
      })),
    )
  })

  it('the due time of the statistics is that of the queue', async () => {
    // Every hour of two weeks; the decision is a minute before, at and a minute after the due time.
    const cases = Array.from({ length: 14 * 8 }, (_, i) => START + i * 3 * HOUR).flatMap((at) =>
      [-1, 0, 1].map((minutes) => ({ at, decision: Date.parse(reviewDueAt(iso(at))) + minutes * MINUTE })),
    )
    await write(
      'wl-due',
      cases.map(({ at, decision }) => [submitted(at), decided('CampaignApproved', decision, 'olga')]),
    )
    const [total] = await sums('wl-due')
    expect(total?.approved).toBe(cases.length)
    expect(total?.in_time).toBeCloseTo(2 / 3, 10)
  })

  // covers FP-101
  it('statistics of moderation count rejections that were approved later without a reviewed change', async () => {
    const rejection = (i: number, ...between: readonly Step[]) => {
      const at = START + i * DAY
      return [submitted(at), decided('CampaignRejected', at + HOUR, 'olga'), ...between, submitted(at + 5 * HOUR)] as const
    }
    const change = (i: number, ...fields: readonly string[]): Step => ({
      type: 'CampaignUpdated',
      at: START + i * DAY + 2 * HOUR,
      fields,
    })
    const approval = (i: number) => decided('CampaignApproved', START + i * DAY + 6 * HOUR, 'boris')
    expect([isReviewed('product_url'), isReviewed('budget')]).toEqual([true, false])
    await write('wl-appeal', [
      [...rejection(1), approval(1)],
      [...rejection(2, change(2, 'budget')), approval(2)],
      [...rejection(3, change(3, 'budget', 'product_url')), approval(3)],
      [...rejection(4), decided('CampaignRejected', START + 4 * DAY + 6 * HOUR, 'boris')],
      [...rejection(5)],
    ])
    const [total, ...moderators] = await sums('wl-appeal')
    expect(total?.approved_unchanged).toBe(2)
    expect(moderators.find(({ moderator_id }) => moderator_id === 'olga')?.approved_unchanged).toBe(2)
    expect(moderators.find(({ moderator_id }) => moderator_id === 'boris')?.approved_unchanged).toBe(0)
  })

  it('statistics of moderation show the queue and its oldest submission at the end of each day', async () => {
    await write('wl-queue', [
      [submitted(START + HOUR), decided('CampaignApproved', START + 2 * DAY + HOUR, 'olga')],
      [submitted(START + DAY + HOUR), { type: 'SubmissionWithdrawn', at: START + DAY + 2 * HOUR }],
      [submitted(START + DAY + 12 * HOUR)],
    ])
    const queue = await queueByDay(
      db,
      { whitelabelId: 'wl-queue', from: RANGE.from, to: dayOf(START + 5 * DAY) },
      iso(START + 3 * DAY + 12 * HOUR),
    )
    expect(queue.map(({ waiting, oldest_minutes }) => [waiting, oldest_minutes === null ? null : oldest_minutes / 60])).toEqual([
      [1, 23],
      [2, 47],
      [1, 36],
      // Not over: until now.
      [1, 48],
    ])
  })

  it('statistics of moderation of a white-label without decisions are empty', async () => {
    const [total, ...moderators] = await sums('wl-none')
    expect(total).toMatchObject({ approved: 0, rejected: 0, median_minutes: null, in_time: null })
    expect(moderators).toEqual([])
    expect(await decisionsByDay(db, { whitelabelId: 'wl-none', ...RANGE })).toEqual([])
  })
})
