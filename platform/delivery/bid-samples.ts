import { sql, type Kysely } from 'kysely'
import type { Facts } from '#domain/bidding/evaluate'
import { SAMPLE_SIZE } from '#domain/bidding/sample'
import type { Db } from '#migrations/db'

/** How long an impression stays, days. */
const KEPT_DAYS = 7

export type SampledImpression = {
  readonly facts: Facts
  /** ISO 8601 UTC. */
  readonly at: string
}

const isRecent = sql<boolean>`received_at > now() - make_interval(days => ${sql.lit(KEPT_DAYS)})`

/** Impressions that bidders sampled (fine print 103). A null white-label is the sample of the service token, which counts for all. */
export const createBidSamples = (db: Kysely<Db>) => ({
  /** Adds impressions, the oldest first, and removes those beyond the size of a sample. */
  async add(whitelabelId: string | null, impressions: readonly Facts[]): Promise<void> {
    // Not `is not distinct from`, for which no index is used.
    const isOwn = whitelabelId === null ? sql<boolean>`whitelabel_id is null` : sql<boolean>`whitelabel_id = ${whitelabelId}`
    await db
      .insertInto('app.bid_samples')
      .values(impressions.map((facts) => ({ whitelabel_id: whitelabelId, facts: JSON.stringify(facts) })))
      .execute()
    await sql`
      delete from app.bid_samples
      where ${isOwn} and id <= (
        select id from app.bid_samples where ${isOwn}
        order by id desc offset ${SAMPLE_SIZE} limit 1)`.execute(db)
  },

  /** The newest impressions that count for a white-label, the newest first. */
  async newest(whitelabelId: string): Promise<readonly SampledImpression[]> {
    const rows = await db
      .selectFrom('app.bid_samples')
      .select(['facts', 'received_at'])
      .where((by) => by.or([by('whitelabel_id', '=', whitelabelId), by('whitelabel_id', 'is', null)]))
      .where(isRecent)
      .orderBy('id', 'desc')
      .limit(SAMPLE_SIZE)
      .execute()
    return rows.map(({ facts, received_at }) => ({ facts: facts as Facts, at: new Date(received_at).toISOString() }))
  },

  /** Removes impressions that are older than a week. */
  async purge(): Promise<void> {
    await sql`delete from app.bid_samples where not ${isRecent}`.execute(db)
  },
})
export type BidSamples = ReturnType<typeof createBidSamples>
