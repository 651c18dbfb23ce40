import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

export const CAMPAIGN_REVISIONS = 'campaign_revisions'
/** The states of each campaign before and after its newest revision. */
export const CAMPAIGN_REVISION_HEADS = 'campaign_revision_heads'

/**
 * Every so many revisions store a full state; the states between are folded from differences on read (fine print 32). The first
 * does not: its changes list every value of its state.
 */
export const FULL_STATE_EVERY = 50

export async function createCampaignRevisionsTables(db: Kysely<Db>, revisions: string, heads: string): Promise<void> {
  await sql`
    create table ${sql.table(revisions)} (
      campaign_id text collate "C" not null,
      revision integer not null,
      at text collate "C" not null,
      actor text not null,
      role text not null,
      source text not null,
      on_behalf_of text,
      command_id text not null,
      events text[] not null,
      changes json not null,
      full_state json,
      status_key smallint not null
    )`.execute(db)
  // For the storage parameters see campaign_states.
  await sql`
    create table ${sql.table(heads)} (
      campaign_id text collate "C" primary key,
      version integer not null,
      events text[] not null,
      base json,
      changes json,
      state json not null
    ) with (fillfactor = 50, toast_tuple_target = 4064)`.execute(db)
}

export async function indexCampaignRevisionsTable(db: Kysely<Db>, table: string): Promise<void> {
  await sql`alter table ${sql.table(table)} add primary key (campaign_id, revision)`.execute(db)
}
