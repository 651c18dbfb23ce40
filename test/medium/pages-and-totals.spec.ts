import { sql, type KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKysely } from '#platform/database/pool'
import { listCampaigns } from '#projections/campaign/list/queries'
import { revisionPage } from '#projections/campaign/revisions/queries'
import { moderationQueue } from '#projections/campaign/queue/queries'
import type { TestDatabase } from '../support/database.ts'
import { demoDatabase } from '../support/product.ts'

const ALL = { filter: 'all', personId: '' } as const
const EVERYWHERE = { whitelabelId: null, spaceId: null }
const BY_NAME = {
  reach: EVERYWHERE,
  spaceIds: null,
  name: null,
  statuses: null,
  labels: null,
  order: { field: 'name', ascending: true },
} as const

describe('a page and its total', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await demoDatabase()
  })
  afterAll(() => database.drop())

  /** The database as seen by a reader when other writes happen between its first and second statement. */
  const whileAfterFirst = (happens: () => Promise<unknown>) => {
    let first = true
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (first) await happens()
        first = false
        return result
      },
    }
    return createKysely(database.pool).withPlugin(plugin)
  }
  const quiet = () => createKysely(database.pool)

  it('a page and its total match in the queue when a decision commits between the two queries', async () => {
    const decide = () => sql`update rm_moderation_queue set submission = null`.execute(quiet())
    const { rows, total } = await moderationQueue(whileAfterFirst(decide), EVERYWHERE, ALL, 0, 100)
    expect(rows.length).toBeGreaterThan(0)
    expect(total).toBe(rows.length)
    expect(await moderationQueue(quiet(), { ...EVERYWHERE, spaceId: 'unknown' }, ALL, 0, 100)).toEqual({ rows: [], total: 0 })
  })

  it('a page and its total match in the change log when entries are removed between the two queries', async () => {
    const { rows } = await sql<{ id: string }>`select id from rm_campaign_list where revision > 3 limit 1`.execute(quiet())
    const id = rows[0]?.id ?? ''
    const takeBack = () => sql`delete from rm_campaign_revisions where campaign_id = ${id} and revision > 3`.execute(quiet())
    const { entries, total } = await revisionPage(whileAfterFirst(takeBack), id, 0, 100)
    expect(entries.length).toBeGreaterThan(3)
    expect(total).toBe(entries.length)
    expect(await revisionPage(quiet(), id, 1, 3)).toEqual({ entries: [], total: 3 })
  })

  it('a page and its total match in the list when campaigns are removed between the two queries, also for a page past the end', async () => {
    const all = await listCampaigns(quiet(), { ...BY_NAME, page: 0, pageSize: 150 })
    expect(all.total).toBe(all.rows.length)
    const behind = await listCampaigns(quiet(), { ...BY_NAME, page: 1, pageSize: all.total })
    expect(behind).toEqual({ rows: [], total: all.total })
    const middle = await listCampaigns(quiet(), { ...BY_NAME, page: 1, pageSize: 2 })
    expect(middle).toEqual({ rows: all.rows.slice(2, 4), total: all.total })

    const leave = () => sql`delete from rm_campaign_list`.execute(quiet())
    const torn = await listCampaigns(whileAfterFirst(leave), { ...BY_NAME, page: 0, pageSize: 150 })
    expect(torn.total).toBe(torn.rows.length)
    const none = { ...BY_NAME, name: 'of no such name', page: 0, pageSize: 150 }
    expect(await listCampaigns(quiet(), none)).toEqual({ rows: [], total: 0 })
  })
})
