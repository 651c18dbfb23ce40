import type { CampaignState } from '#domain/campaign/state'
import type { Change, Json } from '#domain/kit/json-changes'
import { column, table, type PhysicalSet, type RowOf } from '#projections/projector/table'

/**
 * Every so many revisions store a full state; the states between are folded from differences on read (fine print 32). The first
 * does not: its changes list every value of its state.
 */
export const FULL_STATE_EVERY = 50

/** The whole state of a campaign, as its change log shows it. */
export type LogState = { readonly [key: string]: Json }

export const CAMPAIGN_REVISIONS = {
  campaign_revisions: table(
    {
      campaign_id: column.id(),
      revision: column.int,
      at: column.id(),
      actor: column.text(),
      role: column.text(),
      source: column.text(),
      on_behalf_of: column.text().orNull,
      command_id: column.text(),
      events: column.texts(),
      changes: column.json<readonly Change[]>(),
      full_state: column.json<LogState>().orNull,
      status_key: column.small(),
    },
    { key: ['campaign_id', 'revision'], keyedLast: true },
  ),
  /** The states of each campaign before and after its newest revision. */
  campaign_revision_heads: table(
    {
      campaign_id: column.id(),
      version: column.int,
      events: column.texts(),
      // Null once the commit is complete, as most are.
      base: column.json<CampaignState>().orNull,
      changes: column.json<readonly Change[]>().orNull,
      state: column.json<CampaignState>(),
    },
    // For the storage parameters see `campaign_states`.
    { key: ['campaign_id'], storage: 'fillfactor = 50, toast_tuple_target = 4064' },
  ),
}
export type RevisionTables = PhysicalSet<typeof CAMPAIGN_REVISIONS>
export type RevisionRow = RowOf<RevisionTables['campaign_revisions']>
export type HeadRow = RowOf<RevisionTables['campaign_revision_heads']>
