import type { CampaignState } from '#domain/campaign/state'
import { SEARCH_NAME } from '#projections/name-search'
import { column, table, type PhysicalSet, type RowOf } from '#projections/projector/table'

/** One row per campaign, what lists filter and sort by and what policies scan for; and its folded state. */
export const CAMPAIGN_LIST = {
  campaign_list: table(
    {
      id: column.id(),
      space_id: column.id(),
      whitelabel_id: column.id(),
      name: column.text(),
      search_name: column.computed(SEARCH_NAME),
      status_key: column.small(),
      goal: column.text().orNull,
      type: column.text().orNull,
      campaign_type_key: column.small(),
      campaign_start_at: column.id().orNull,
      campaign_end_at: column.id().orNull,
      budget: column.big.orNull,
      budget_type_key: column.small(),
      need_moderation: column.flag,
      review: column.text(),
      approved: column.flag,
      archived: column.flag,
      funding: column.text(),
      /** Whether the account's suspension was recorded. */
      suspended: column.flag,
      day_budget: column.text(),
      total_budget: column.text(),
      /** Seconds east of UTC: a campaign's local day decides when its day budget reopens. */
      timezone_offset_seconds: column.int,
      creatives: column.int,
      creative_status: column.text().orNull,
      /** Some served creative has no verdict of some chosen exchange yet. */
      exchange_pending: column.flag,
      /** Next instant at which the clock alone changes a fact; null when there is none. */
      next_due: column.id().orNull,
      moderation_start_at: column.id().orNull,
      created_at: column.id(),
      /** Time of the newest save. */
      updated_at: column.id(),
      /** Time of the newest event of any kind. */
      changed_at: column.id(),
      revision: column.int,
      version: column.int,
      position: column.big,
    },
    {
      key: ['id'],
      storage: 'fillfactor = 70',
      indexes: [
        '(space_id, created_at desc, id)',
        '(whitelabel_id, created_at desc, id)',
        '(next_due) where next_due is not null',
        '(id) where exchange_pending',
        'using gin (search_name public.gin_trgm_ops)',
      ],
    },
  ),
  // In a table of its own, so that a search of the list does not read states.
  campaign_states: table(
    {
      id: column.id(),
      version: column.int,
      /** Ids of the files in its newest content. */
      files: column.texts(),
      /** Ids of the audiences that it includes or excludes. */
      audiences: column.texts(),
      state: column.json<CampaignState>(),
    },
    {
      key: ['id'],
      // A state stays compressed in its page, with room for its next version: a save then touches no index and no TOAST table.
      storage: 'fillfactor = 50, toast_tuple_target = 4064',
      indexes: ["using gin (audiences) where audiences <> '{}'"],
    },
  ),
}
export type CampaignListTables = PhysicalSet<typeof CAMPAIGN_LIST>
export type CampaignListRow = RowOf<CampaignListTables['campaign_list']>
export type CampaignStateRow = RowOf<CampaignListTables['campaign_states']>
