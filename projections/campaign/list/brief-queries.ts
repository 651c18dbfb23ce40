import { sql, type Kysely } from 'kysely'
import type { CampaignState } from '#domain/campaign/state'
import { anyOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

export type ListedBriefly = {
  readonly id: string
  readonly name: string
  readonly space_id: string
  readonly whitelabel_id: string
  readonly status_key: number
  /** Approved, and not archived. */
  readonly is_active: boolean
}

/** Entries of the list for these campaigns; unknown ids are missing. */
export const listedCampaigns = (db: Kysely<Db>, ids: readonly string[]): Promise<readonly ListedBriefly[]> =>
  db
    .selectFrom('rm_campaign_list')
    .select(['id', 'name', 'space_id', 'whitelabel_id', 'status_key'])
    .select(sql<boolean>`approved and not archived`.as('is_active'))
    .where('id', '=', anyOf(ids))
    .execute()

/** Facts of a campaign for a list of changes: its name and account, and the currency, kind of budget and zone of its values. */
export type ListedPlainly = {
  readonly id: string
  readonly name: string
  readonly budget_type_key: number
  readonly timezone_offset_seconds: number
  readonly account_name: string
  readonly currency: string
}

/** These campaigns with their accounts; unknown ids are missing. */
export const campaignsWithAccounts = (db: Kysely<Db>, ids: readonly string[]): Promise<readonly ListedPlainly[]> =>
  db
    .selectFrom('rm_campaign_list as c')
    .innerJoin('rm_accounts as a', 'a.space_id', 'c.space_id')
    .select(['c.id', 'c.name', 'c.budget_type_key', 'c.timezone_offset_seconds', 'a.name as account_name', 'a.currency'])
    .where('c.id', '=', anyOf(ids))
    .execute()

/** The state of a campaign in the read model; null for an unknown id. */
export async function storedStateOf(db: Kysely<Db>, id: string): Promise<CampaignState | null> {
  const row = await db
    .selectFrom('rm_campaign_states')
    .select('state')
    .where('id', '=', id)
    .$castTo<{ state: CampaignState }>()
    .executeTakeFirst()
  return row?.state ?? null
}
