import type { Kysely } from 'kysely'
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
