import { sql, type Kysely } from 'kysely'
import { logChanges, logState } from '../../domain/campaign/log-state.ts'
import { evolve, initialState, type CampaignState } from '../../domain/campaign/state.ts'
import { statusOf } from '../../domain/campaign/status.ts'
import type { StoredEvent } from '../../eventstore/event-store.ts'
import { campaignFacts, type CampaignFact } from '../campaign/fold-rows.ts'
import { FULL_STATE_EVERY } from './tables.ts'

type Head = {
  readonly version: number
  /** State before the newest revision: a batch may end in the middle of a commit, and its entry is then made again. */
  readonly base: CampaignState
  readonly events: readonly string[]
  readonly state: CampaignState
}

/** One entry per commit: its differences, who, when and by which command. */
export async function applyCampaignRevisions(
  db: Kysely<never>,
  tables: { readonly revisions: string; readonly heads: string },
  events: readonly StoredEvent[],
): Promise<void> {
  const facts = campaignFacts(events)
  if (facts.length === 0) return
  const ids = [...new Set(facts.map(({ campaignId }) => campaignId))]
  const { rows } = await sql<Head & { campaign_id: string }>`
    select campaign_id, version, base, events, state from ${sql.table(tables.heads)} where campaign_id = any(${ids})`.execute(db)
  const heads = new Map<string, Head>(rows.map((row) => [row.campaign_id, row]))
  const entries = new Map<string, object>()
  for (const fact of facts) {
    const head = advance(heads.get(fact.campaignId), fact)
    if (head === null) continue
    heads.set(fact.campaignId, head)
    entries.set(`${fact.campaignId} ${fact.meta.revision}`, entryOf(head, fact))
  }
  if (entries.size === 0) return
  await sql`
    insert into ${sql.table(tables.revisions)}
    select * from json_populate_recordset(null::${sql.table(tables.revisions)}, ${JSON.stringify([...entries.values()])}::json)
    on conflict (campaign_id, revision) do update
      set events = excluded.events, changes = excluded.changes, full_state = excluded.full_state, status_key = excluded.status_key`.execute(
    db,
  )
  const changed = ids.flatMap((id) => {
    const head = heads.get(id)
    return head === undefined
      ? []
      : [{ campaign_id: id, version: head.version, base: head.base, events: head.events, state: head.state }]
  })
  await sql`
    insert into ${sql.table(tables.heads)}
    select * from json_populate_recordset(null::${sql.table(tables.heads)}, ${JSON.stringify(changed)}::json)
    on conflict (campaign_id) do update
      set version = excluded.version, base = excluded.base, events = excluded.events, state = excluded.state`.execute(db)
}

function advance(head: Head | undefined, { event, meta, stored }: CampaignFact): Head | null {
  const from = head ?? { version: 0, base: initialState, events: [], state: initialState }
  if (stored.version <= from.version) return null
  const sameCommit = from.state.revision === meta.revision
  return {
    version: stored.version,
    base: sameCommit ? from.base : from.state,
    events: sameCommit ? [...from.events, event.type] : [event.type],
    state: evolve(from.state, event, meta),
  }
}

const entryOf = ({ base, events, state }: Head, { campaignId, meta }: CampaignFact) => ({
  campaign_id: campaignId,
  revision: meta.revision,
  at: meta.at,
  actor: meta.actor,
  role: meta.role,
  source: meta.source,
  on_behalf_of: meta.on_behalf_of,
  command_id: meta.command_id,
  events,
  changes: logChanges(base, state),
  full_state: meta.revision === 1 || meta.revision % FULL_STATE_EVERY === 0 ? logState(state) : null,
  status_key: statusOf(state),
})
