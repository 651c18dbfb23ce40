import { sql, type Kysely } from 'kysely'
import type { CampaignState } from '#domain/campaign/state'
import type { Db } from '#migrations/db'
import { SEARCH_NAME } from '#projections/name-search'

/** One row per campaign: what lists filter and sort by, and what policies scan for. */
export type CampaignListRow = {
  id: string
  space_id: string
  whitelabel_id: string
  name: string
  status_key: number
  goal: string | null
  type: string | null
  campaign_type_key: number
  campaign_start_at: string | null
  campaign_end_at: string | null
  budget: string | null
  budget_type_key: number
  need_moderation: boolean
  review: string
  approved: boolean
  archived: boolean
  funding: string
  /** Whether the account's suspension was recorded. */
  suspended: boolean
  day_budget: string
  total_budget: string
  /** Seconds east of UTC: a campaign's local day decides when its day budget reopens. */
  timezone_offset_seconds: number
  creatives: number
  creative_status: string | null
  /** Some served creative has no verdict of some chosen exchange yet. */
  exchange_pending: boolean
  /** Next instant at which the clock alone changes a fact; null when there is none. */
  next_due: string | null
  moderation_start_at: string | null
  created_at: string
  /** Of the newest save. */
  updated_at: string
  /** Of the newest event of any kind. */
  changed_at: string
  revision: number
  version: number
  position: string
}

/** The folded state of a campaign. In a table of its own, so that a search of the list does not read states. */
export type CampaignStateRow = Pick<CampaignListRow, 'id' | 'version'> & {
  state: CampaignState
  /** Ids of the files in its newest content. */
  files: readonly string[]
  /** Ids of the audiences that it includes or excludes. */
  audiences: readonly string[]
}

export const CAMPAIGN_LIST = 'campaign_list'
export const CAMPAIGN_STATES = 'campaign_states'

/** Physical tables of a generation. */
export type CampaignListTables = { readonly list: string; readonly states: string }

export async function createCampaignListTables(db: Kysely<Db>, { list, states }: CampaignListTables): Promise<void> {
  await sql`
    create table ${sql.table(list)} (
      id text collate "C" primary key,
      space_id text collate "C" not null,
      whitelabel_id text collate "C" not null,
      name text not null,
      search_name ${SEARCH_NAME},
      status_key smallint not null,
      goal text,
      type text,
      campaign_type_key smallint not null,
      campaign_start_at text collate "C",
      campaign_end_at text collate "C",
      budget bigint,
      budget_type_key smallint not null,
      need_moderation boolean not null,
      review text not null,
      approved boolean not null,
      archived boolean not null,
      funding text not null,
      suspended boolean not null,
      day_budget text not null,
      total_budget text not null,
      timezone_offset_seconds integer not null,
      creatives integer not null,
      creative_status text,
      exchange_pending boolean not null,
      next_due text collate "C",
      moderation_start_at text collate "C",
      created_at text collate "C" not null,
      updated_at text collate "C" not null,
      changed_at text collate "C" not null,
      revision integer not null,
      version integer not null,
      position bigint not null
    ) with (fillfactor = 70)`.execute(db)
  // A state stays compressed in its page, with room for its next version: a save then touches no index and no TOAST table.
  await sql`
    create table ${sql.table(states)} (
      id text collate "C" primary key,
      version integer not null,
      files text[] not null,
      audiences text[] not null,
      state json not null
    ) with (fillfactor = 50, toast_tuple_target = 4064)`.execute(db)
}

export async function indexCampaignListTables(db: Kysely<Db>, { list: table, states }: CampaignListTables): Promise<void> {
  await sql`create index on ${sql.table(table)} (space_id, created_at desc, id)`.execute(db)
  await sql`create index on ${sql.table(table)} (whitelabel_id, created_at desc, id)`.execute(db)
  await sql`create index on ${sql.table(table)} (next_due) where next_due is not null`.execute(db)
  await sql`create index on ${sql.table(table)} (id) where exchange_pending`.execute(db)
  await sql`create index on ${sql.table(table)} using gin (search_name public.gin_trgm_ops)`.execute(db)
  await sql`create index on ${sql.table(states)} using gin (audiences) where audiences <> '{}'`.execute(db)
}
