import { sql, type Kysely } from 'kysely'
import type { CampaignState } from '#domain/campaign/state'
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
  const { rows } = await sql<{ readonly id: string }>`
    select id from rm_campaign_list
    where id = any(${[...ids]}) and space_id = ${spaceId} and approved order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Campaigns of an account with these ids that were ever approved, by id. */
export async function approvedCampaigns(
  db: Kysely<Db>,
  spaceId: string,
  ids: readonly string[],
): Promise<readonly ApprovedCampaign[]> {
  const { rows } = await sql<ApprovedCampaign>`
    select s.state, l.version
    from rm_campaign_list l join rm_campaign_states s on s.id = l.id
    where l.id = any(${[...ids]}) and l.space_id = ${spaceId} and l.approved order by l.id`.execute(db)
  return rows
}

/** States of approved campaigns that changed since an instant, ISO 8601, the newest first. */
export async function recentlyApproved(db: Kysely<Db>, since: string, limit: number): Promise<readonly CampaignState[]> {
  const { rows } = await sql<{ state: CampaignState }>`
    select s.state from rm_campaign_list l join rm_campaign_states s on s.id = l.id
    where l.approved and l.updated_at >= ${since} order by l.updated_at desc limit ${limit}`.execute(db)
  return rows.map(({ state }) => state)
}
