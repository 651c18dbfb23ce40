import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '#migrations/db'
import { createSecondLooks } from '#platform/campaign/second-looks'
import { createKysely } from '#platform/database/pool'
import { openSecondLooks } from '#projections/campaign/queue/second-looks'
import type { TestDatabase } from '../support/database.ts'
import { demoDatabase } from '../support/product.ts'

/** Fine print 104. */
describe('the sample of second looks', () => {
  let database: TestDatabase
  let db: Kysely<Db>
  // A product would draw too.
  beforeAll(async () => {
    database = await demoDatabase()
    db = createKysely(database.pool)
  })
  afterAll(() => database.drop())

  const redraw = () => sql`update app.second_look_progress set position = 0`.execute(db)
  const rows = async () => (await db.selectFrom('app.second_looks').selectAll().orderBy('campaign_id').execute()) ?? []
  const draw = (share: number) => createSecondLooks(db).draw(async () => share)
  beforeEach(async () => {
    await db.deleteFrom('app.second_looks').execute()
    await redraw()
    // The demo's approvals may be older than what is drawn.
    await sql`update rm_audit_log set at = to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      where type = 'CampaignApproved'`.execute(db)
  })

  it('the sample of second looks has each approval of a person once, however often and by however many processes it is drawn', async () => {
    await Promise.all(Array.from({ length: 5 }, () => draw(100)))
    const once = await rows()
    const { rows: approvals } = await sql<{ n: number }>`
      select count(*)::int as n from rm_audit_log where type = 'CampaignApproved' and actor not like 'system:%'`.execute(db)
    expect(once.length).toBeGreaterThan(0)
    expect(once).toHaveLength(approvals[0]?.n ?? -1)
    await draw(100)
    await redraw()
    await draw(100)
    expect(await rows()).toEqual(once)
  })

  it('keeps to the share of the time when it was drawn', async () => {
    await draw(0)
    await draw(100)
    expect(await rows()).toEqual([])
  })

  it('two processes that draw at once choose once', async () => {
    const looks = createSecondLooks(db)
    /** One draws while another, which began before, still asks for its share. */
    const draws = (share: number, lateShare: number) =>
      looks.draw(async () => {
        await draw(share)
        return lateShare
      })
    // The share changes between them: the one that moves on first decides, and the slow one adds nothing.
    await draws(0, 100)
    expect(await rows()).toEqual([])
    await redraw()
    await draws(100, 0)
    expect((await rows()).length).toBeGreaterThan(0)
  })

  it('leaves an approval open for 30 days, keeps outcomes for statistics, and draws nothing older', async () => {
    await draw(100)
    const looks = createSecondLooks(db)
    const age = (days: number) =>
      sql`update app.second_looks set approved_at = now() - make_interval(days => ${days})`.execute(db)
    const [one] = await rows()
    if (one === undefined) throw new Error('nothing drawn')
    const { campaign_id: campaignId, approval } = one
    const me = { whitelabelId: null, personId: 'boris', homeSpaceId: 'none' }
    await age(29)
    expect((await openSecondLooks(db, me, 0, 100)).total).toBeGreaterThan(0)
    expect(await looks.approverOf(campaignId, approval)).toBe(one.approver_id)
    await age(31)
    expect((await openSecondLooks(db, me, 0, 100)).total).toBe(0)
    expect(await looks.approverOf(campaignId, approval)).toBeNull()
    await looks.expire()
    expect(new Set((await rows()).map(({ state }) => state))).toEqual(new Set(['expired']))
    await age(731)
    await looks.expire()
    expect(await rows()).toEqual([])
    await sql`update rm_audit_log set at = '2020-01-01T00:00:00.000Z' where type = 'CampaignApproved'`.execute(db)
    await redraw()
    await draw(100)
    expect(await rows()).toEqual([])
  })

  it('keeps the outcome that was recorded first', async () => {
    await draw(100)
    const looks = createSecondLooks(db)
    const [one] = await rows()
    if (one === undefined) throw new Error('nothing drawn')
    const at = '2026-03-02T10:00:00.000Z'
    await looks.record(one.campaign_id, { approval: one.approval, outcome: 'agreed', by: 'boris', at })
    await looks.record(one.campaign_id, { approval: one.approval, outcome: 'noted', by: 'vera', at })
    const found = (await rows()).find(({ campaign_id }) => campaign_id === one.campaign_id)
    expect([found?.state, found?.person_id]).toEqual(['agreed', 'boris'])
  })
})
