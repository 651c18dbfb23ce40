import { sql, type Kysely } from 'kysely'
import type { CampaignState } from '#domain/campaign/state'
import { anyOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

export type ApprovedCampaign = {
  readonly state: CampaignState
  /** Events in its stream that the state contains. */
  readonly version: number
}

/** At most `limit` of these ids, of campaigns of the account that were ever approved, in their order. */
export async function approvedIds(
  db: Kysely<Db>,
  spaceId: string,
  ids: readonly string[],
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('rm_campaign_list')
    .select('id')
    .where('id', '=', anyOf(ids))
    .where('space_id', '=', spaceId)
    .where('approved', '=', true)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Campaigns of an account with these ids that were ever approved, by id. */
export async function approvedCampaigns(
  db: Kysely<Db>,
  spaceId: string,
  ids: readonly string[],
): Promise<readonly ApprovedCampaign[]> {
  return approved(db)
    .select(['s.state', 'l.version'])
    .where('l.id', '=', anyOf(ids))
    .where('l.space_id', '=', spaceId)
    .orderBy('l.id')
    .$castTo<ApprovedCampaign>()
    .execute()
}

/** Addresses of the approved landing pages of an account: of so many of its campaigns, those that changed last. */
export async function landingPages(db: Kysely<Db>, spaceId: string, campaigns: number): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly url: string }>`
    with newest as (
      select s.state->'approved'->'reviewed'->'fields' as fields
      from rm_campaign_list l join rm_campaign_states s on s.id = l.id
      where l.space_id = ${spaceId} and l.approved order by l.updated_at desc limit ${campaigns}
    )
    select distinct url from newest
    cross join lateral (values (fields->>'product_url'), (fields->>'bidding_strategy.click_url')) as pages(url)
    where url is not null`.execute(db)
  return rows.map(({ url }) => url)
}

/** States of approved campaigns that changed since an instant, ISO 8601, the newest first. */
export async function recentlyApproved(db: Kysely<Db>, since: string, limit: number): Promise<readonly CampaignState[]> {
  const rows = await approved(db)
    .select('s.state')
    .where('l.updated_at', '>=', since)
    .orderBy('l.updated_at', 'desc')
    .limit(limit)
    .$castTo<Pick<ApprovedCampaign, 'state'>>()
    .execute()
  return rows.map(({ state }) => state)
}

const approved = (db: Kysely<Db>) =>
  db.selectFrom('rm_campaign_list as l').innerJoin('rm_campaign_states as s', 's.id', 'l.id').where('l.approved', '=', true)
