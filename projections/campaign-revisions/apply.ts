import { sql, type Kysely } from 'kysely'
import { logChanges, logState } from '../../domain/campaign/log-state.ts'
import { evolve, initialState, type CampaignState } from '../../domain/campaign/state.ts'
import { statusOf } from '../../domain/campaign/status/status.ts'
import type { StoredEvent } from '../../eventstore/event-store.ts'
import { campaignFacts, type CampaignFact } from '../campaign/fold-rows.ts'
import { packState, packStateAfter, unpackState } from '../campaign/packed-state.ts'
import { upsert } from '../campaign/write-rows.ts'
import type { Memory, Write } from '../projector/read-model.ts'
import { FULL_STATE_EVERY } from './tables.ts'

type Head = {
  readonly version: number
  /** State before the newest revision: a batch may end in the middle of a commit, and its entry is then made again. */
  readonly base: CampaignState
  readonly events: readonly string[]
  readonly state: CampaignState
}

type PackedHead = Pick<Head, 'version' | 'events'> & {
  readonly campaign_id: string
  /** `WHOLE` once the commit is whole: nothing of it is to come, and most commits are. */
  readonly base: string
  readonly state: string
}

const WHOLE = 'null'

/** Campaigns a worker remembers at most. */
const REMEMBERED = 4000

/** One entry per commit: its differences, who, when and by which command. */
export async function applyCampaignRevisions(
  db: Kysely<never>,
  tables: RevisionTables,
  events: readonly StoredEvent[],
  memory: Memory,
): Promise<void> {
  for (const write of await campaignRevisionWrites(db, tables, events, memory)) await write(sql`true`).execute(db)
}

type RevisionTables = { readonly revisions: string; readonly heads: string }

/** Rows per statement. */
const CHUNK = 500

/** The same as statements. */
export async function campaignRevisionWrites(
  db: Kysely<never>,
  tables: RevisionTables,
  events: readonly StoredEvent[],
  memory: Memory,
): Promise<readonly Write[]> {
  const facts = campaignFacts(events)
  if (facts.length === 0) return []
  const ids = [...new Set(facts.map(({ campaignId }) => campaignId))]
  const heads = await headsOf(db, tables.heads, ids, facts, memory)
  // Of a commit whose events are all here only the last one's entry is wanted: making one costs more than anything else.
  const entries = new Map<string, Entry>()
  const newest = new Map<string, Entry>()
  for (const fact of facts) {
    const head = advanced(heads.get(fact.campaignId), fact)
    if (head === null) continue
    heads.set(fact.campaignId, head)
    const entry = { head, fact, metadata: readMetadata(fact) }
    entries.set(`${fact.campaignId} ${fact.meta.revision}`, entry)
    newest.set(fact.campaignId, entry)
  }
  if (memory.size + heads.size > REMEMBERED) memory.clear()
  for (const [id, head] of heads) memory.set(id, head)
  return [
    ...chunksOf([...entries.values()]).map((some) => insertRevisions(tables.revisions, some)),
    ...chunksOf([...newest.values()]).map((some) => upsertHeads(tables.heads, some)),
  ]
}

function chunksOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, i) => items.slice(i * CHUNK, (i + 1) * CHUNK))
}

// Made when they are sent: the rows of thousands of events would be there at once.
const insertRevisions =
  (table: string, entries: readonly Entry[]): Write =>
  (where) =>
    sql`
    insert into ${sql.table(table)}
    select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(entries.map(entryOf))}::json)
    where ${where}
    on conflict (campaign_id, revision) do update
      set events = excluded.events, changes = excluded.changes, full_state = excluded.full_state, status_key = excluded.status_key`

const upsertHeads =
  (table: string, entries: readonly Entry[]): Write =>
  (where) => {
    const target = { table, key: 'campaign_id', columns: ['campaign_id', 'version', 'events'], states: ['base', 'state'] }
    const rows = entries.map(({ head, fact, metadata }) => ({
      values: { campaign_id: fact.campaignId, version: head.version, events: head.events },
      states: [metadata.index + 1 === metadata.of ? WHOLE : packState(head.base), packStateAfter(fact.stored, head.state)],
    }))
    return upsert(target, rows)(where)
  }

async function headsOf(
  db: Kysely<never>,
  table: string,
  ids: readonly string[],
  facts: readonly CampaignFact[],
  memory: Memory,
): Promise<Map<string, Head>> {
  const heads = new Map<string, Head>()
  const born = new Set(facts.flatMap(({ campaignId, stored }) => (stored.version === 1 ? [campaignId] : [])))
  const asked: string[] = []
  for (const id of ids) {
    const remembered = memory.get(id) as Head | undefined
    if (remembered !== undefined) heads.set(id, remembered)
    else if (!born.has(id)) asked.push(id)
  }
  if (asked.length === 0) return heads
  const { rows } = await sql<PackedHead>`
    select campaign_id, version, base, events, state from ${sql.table(table)} where campaign_id = any(${asked})`.execute(db)
  for (const { campaign_id, version, base, events, state } of rows)
    heads.set(campaign_id, headOf(version, base, events, unpackState(state)))
  return heads
}

function advanced(head: Head | undefined, { campaignId, event, meta, stored }: CampaignFact): Head | null {
  const from = head ?? { version: 0, base: initialState, events: [], state: initialState }
  if (stored.version <= from.version) return null
  if (stored.version !== from.version + 1)
    throw new Error(`campaign ${campaignId}: version ${stored.version} does not follow ${from.version}`)
  const sameCommit = from.state.revision === meta.revision
  return {
    version: stored.version,
    base: sameCommit ? from.base : from.state,
    events: sameCommit ? [...from.events, event.type] : [event.type],
    state: evolve(from.state, event, meta),
  }
}

const headOf = (version: number, base: string, events: readonly string[], state: CampaignState): Head => ({
  version,
  base: base === WHOLE ? state : unpackState(base),
  events,
  state,
})

type Metadata = Pick<Row, 'role' | 'source' | 'on_behalf_of' | 'command_id'> & { readonly index: number; readonly of?: number }
type Entry = { readonly head: Head; readonly fact: CampaignFact; readonly metadata: Metadata }

const readMetadata = ({ stored }: CampaignFact): Metadata => JSON.parse(stored.metadata)

type Row = {
  readonly campaign_id: string
  readonly revision: number
  readonly at: string
  readonly actor: string
  readonly role: string
  readonly source: string
  readonly on_behalf_of: string | null
  readonly command_id: string
  readonly events: readonly string[]
  readonly changes: unknown
  readonly full_state: unknown
  readonly status_key: number
}

function entryOf({ head: { base, events, state }, fact: { campaignId, meta }, metadata }: Entry): Row {
  const { role, source, on_behalf_of, command_id } = metadata
  return {
    campaign_id: campaignId,
    revision: meta.revision,
    at: meta.at,
    actor: meta.actor,
    role,
    source,
    on_behalf_of,
    command_id,
    events,
    changes: logChanges(base, state),
    full_state: meta.revision === 1 || meta.revision % FULL_STATE_EVERY === 0 ? logState(state) : null,
    status_key: statusOf(state),
  }
}
