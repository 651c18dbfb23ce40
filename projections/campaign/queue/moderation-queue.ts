import { sql, type Kysely } from 'kysely'
import { CAMPAIGN_EVENTS, type CampaignEvent } from '#domain/campaign/events'
import type { StoredEvent } from '#eventstore/event-store'
import { campaignFacts, isOfCampaign, type CampaignFact } from '../fold-rows.ts'
import type { Memory } from '#projections/projector/read-model'
import { column, table, upsertRows, type PhysicalSet, type RowOf } from '#projections/projector/table'
import type { Db } from '#migrations/db'

/**
 * The review state of each campaign, by which the queue is ordered and paged. Names and contents come from the campaign list, so
 * that a save, the most frequent event, changes nothing here.
 */
export const MODERATION_QUEUE = {
  moderation_queue: table(
    {
      campaign_id: column.id(),
      whitelabel_id: column.id(),
      /** Set, with its time, while it waits for a moderator. */
      submission: column.int.orNull,
      moderation_start_at: column.id().orNull,
      archived: column.flag,
      /** Something was approved before. */
      re_review: column.flag,
      version: column.int,
    },
    { key: ['campaign_id'], indexes: ['(whitelabel_id, moderation_start_at) where submission is not null and not archived'] },
  ),
}
type Queue = PhysicalSet<typeof MODERATION_QUEUE>
type Row = RowOf<Queue['moderation_queue']>

export async function applyModerationQueue(
  db: Kysely<Db>,
  { moderation_queue: queue }: Queue,
  events: readonly StoredEvent[],
  memory: Memory,
): Promise<void> {
  const facts = campaignFacts(events.filter(changesQueue))
  if (facts.length === 0) return
  const rows = await rowsOf(db, queue, facts, memory)
  for (const { campaignId, event, stored } of facts) {
    const row = rows.get(campaignId) ?? { ...BLANK, campaign_id: campaignId }
    if (stored.version > row.version) rows.set(campaignId, { ...after(row, event), version: stored.version })
  }
  await upsertRows(db, queue, [...rows.values()])
  if (memory.size + rows.size > REMEMBERED) memory.clear()
  for (const [id, row] of rows) memory.set(id, row)
}

/** Campaigns in the cache of a worker: a few megabytes. */
const REMEMBERED = 20_000

const BLANK: Row = {
  campaign_id: '',
  whitelabel_id: '',
  submission: null,
  moderation_start_at: null,
  archived: false,
  re_review: false,
  version: 0,
}

type Changing = {
  readonly [T in CampaignEvent['type']]: ((row: Row, data: Extract<CampaignEvent, { type: T }>['data']) => Row) | null
}

const decided = (row: Row): Row => ({
  ...row,
  submission: null,
  moderation_start_at: null,
})

/** How each event changes a row; null where it does not concern the review. */
const CHANGES: Changing = {
  CampaignCreated: (row, { whitelabel_id }) => ({ ...row, whitelabel_id }),
  CampaignUpdated: null,
  CampaignSubmitted: (row, { submission, started_at }) => ({
    ...row,
    submission,
    moderation_start_at: started_at,
  }),
  SubmissionWithdrawn: decided,
  CampaignApproved: (row) => ({ ...decided(row), re_review: true }),
  CampaignRejected: decided,
  CampaignSwitchedOn: null,
  CampaignSwitchedOff: null,
  CampaignArchived: (row) => ({ ...row, archived: true }),
  CampaignUnarchived: (row) => ({ ...row, archived: false }),
  FlightChanged: null,
  DayBudgetReached: null,
  DayBudgetReopened: null,
  TotalBudgetSpent: null,
  TotalBudgetReopened: null,
  FundingFellShort: null,
  FundingRestored: null,
  ServingSuspended: null,
  ServingRestored: null,
  ExchangeDecided: null,
  CampaignLaunched: null,
  CampaignCommented: null,
  SecondLookTaken: null,
}

function after(row: Row, { type, data }: CampaignEvent): Row {
  const change = CHANGES[type] as ((row: Row, data: CampaignEvent['data']) => Row) | null
  return change === null ? row : change(row, data)
}

/** Checks type and version only, so that saves are not decoded. Unknown types and versions may change rows. */
export const changesQueue = (stored: StoredEvent): boolean =>
  isOfCampaign(stored) &&
  !(isKnown(stored.type) && CHANGES[stored.type] === null && stored.schemaVersion <= versionOf(stored.type))

const isKnown = (type: string): type is CampaignEvent['type'] => Object.hasOwn(CHANGES, type)
const versionOf = (type: CampaignEvent['type']): number => CAMPAIGN_EVENTS[type].version

/** Rows of the facts' campaigns, from the cache or the table. */
async function rowsOf(
  db: Kysely<Db>,
  queue: Queue['moderation_queue'],
  facts: readonly CampaignFact[],
  memory: Memory,
): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>()
  const missing = new Set<string>()
  for (const { campaignId, stored } of facts) {
    const known = memory.get(campaignId) as Row | undefined
    if (known !== undefined) rows.set(campaignId, known)
    else if (stored.version > 1) missing.add(campaignId)
  }
  if (missing.size === 0) return rows
  const found = await sql<Row>`select * from ${queue} where campaign_id = any(${[...missing]})`.execute(db)
  for (const row of found.rows) rows.set(row.campaign_id, row)
  return rows
}
