import { sql, type Kysely } from 'kysely'
import { creativesOf } from '../../domain/campaign/creatives.ts'
import type { CampaignState } from '../../domain/campaign/state.ts'
import { statusOf } from '../../domain/campaign/status.ts'
import type { StoredEvent } from '../../eventstore/event-store.ts'
import { campaignFacts, foldBatch } from '../campaign/fold-rows.ts'
import { packState, unpackState } from '../campaign/packed-state.ts'
import { storedAsItIs, writeRows } from '../campaign/write-rows.ts'
import type { Memory } from '../projector/read-model.ts'
import type { Reach } from '../campaign-list/queries.ts'

/** Submissions that wait for a moderator. Campaigns that do not wait keep a row too: a fold needs somewhere to stand. */
export const MODERATION_QUEUE = 'moderation_queue'

export async function createModerationQueueTable(db: Kysely<never>, table: string): Promise<void> {
  await sql`
    create table ${sql.table(table)} (
      campaign_id text collate "C" primary key,
      space_id text collate "C" not null,
      whitelabel_id text collate "C" not null,
      campaign_name text not null,
      pending boolean not null,
      submission integer,
      moderation_start_at text collate "C",
      re_review boolean not null,
      goal text,
      type text,
      creatives integer not null,
      status_key smallint not null,
      version integer not null,
      state text not null
    )`.execute(db)
  await storedAsItIs(db, table, ['state'])
}

export async function indexModerationQueueTable(db: Kysely<never>, table: string): Promise<void> {
  await sql`create index on ${sql.table(table)} (whitelabel_id, moderation_start_at) where pending`.execute(db)
}

export async function applyModerationQueue(
  db: Kysely<never>,
  table: string,
  events: readonly StoredEvent[],
  memory: Memory,
): Promise<void> {
  const changed = await foldBatch(campaignFacts(events), memory, async (ids) => {
    const { rows } = await sql<{ campaign_id: string; version: number; state: string }>`
      select campaign_id, version, state from ${sql.table(table)} where campaign_id = any(${[...ids]})`.execute(db)
    return new Map(rows.map(({ campaign_id, version, state }) => [campaign_id, { version, state: unpackState(state) }]))
  })
  if (changed.length === 0) return
  await writeRows(db, { table, key: 'campaign_id', columns: COLUMNS, states: ['state'] }, changed, ({ id, state, version }) => ({
    values: rowOf(id, state, version),
    states: [packState(state)],
  }))
}

/** In the order of the table. */
const COLUMNS = [
  'campaign_id',
  'space_id',
  'whitelabel_id',
  'campaign_name',
  'pending',
  'submission',
  'moderation_start_at',
  're_review',
  'goal',
  'type',
  'creatives',
  'status_key',
  'version',
] as const

const rowOf = (campaign_id: string, state: CampaignState, version: number) => ({
  campaign_id,
  space_id: state.space_id,
  whitelabel_id: state.whitelabel_id,
  campaign_name: state.head.name,
  pending: state.review.kind === 'pending' && !state.archived,
  submission: state.review.kind === 'pending' ? state.review.submission : null,
  moderation_start_at: state.moderation_start_at,
  re_review: state.approved !== null,
  goal: state.head.bidding_strategy.goal,
  type: state.head.bidding_strategy.type,
  creatives: creativesOf(state.head).length,
  status_key: statusOf(state),
  version,
})

export type QueuedSubmission = {
  readonly campaign_id: string
  readonly campaign_name: string
  readonly space_id: string
  readonly space_name: string
  readonly submission: number
  readonly moderation_start_at: string
  readonly status_key: number
  readonly re_review: boolean
  readonly goal: string | null
  readonly type: string | null
  readonly creatives: number
}

/** Waiting submissions within reach, longest waiting first. */
export async function moderationQueue(db: Kysely<never>, reach: Reach, page: number, size: number) {
  const where = reach.whitelabelId === null ? sql`q.pending` : sql`q.pending and q.whitelabel_id = ${reach.whitelabelId}`
  const { rows } = await sql<QueuedSubmission>`
    select q.campaign_id, q.campaign_name, q.space_id, coalesce(a.name, '') as space_name, q.submission, q.moderation_start_at,
           q.status_key, q.re_review, q.goal, q.type, q.creatives
    from rm_moderation_queue q left join rm_accounts a on a.space_id = q.space_id
    where ${where} order by q.moderation_start_at, q.campaign_id limit ${size} offset ${page * size}`.execute(db)
  const count = await sql<{ n: number }>`select count(*)::int as n from rm_moderation_queue q where ${where}`.execute(db)
  return { rows, total: count.rows[0]?.n ?? 0 }
}
