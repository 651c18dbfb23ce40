import { sql, type Kysely } from 'kysely'
import { evolve, initial as initialState, type CampaignState } from '#domain/campaign/state'
import { changesOfFacts, contentChanges, factsOf, logState, type LogFacts } from '#domain/campaign/log-state'
import type { Metadata } from '#domain/kit/event-metadata'
import type { Change } from '#domain/kit/json-changes'
import type { StoredEvent } from '#eventstore/event-store'
import { campaignFacts, type CampaignFact } from '../fold-rows.ts'
import type { Memory } from '#projections/projector/read-model'
import { upsertRows } from '#projections/projector/table'
import type { Db } from '#migrations/db'
import { FULL_STATE_EVERY, type HeadRow, type RevisionRow, type RevisionTables } from './tables.ts'

export type Head = {
  readonly version: number
  /** State before the newest revision: a batch may end in the middle of a commit, whose entry is then made again. */
  readonly base: CampaignState
  /** Types of the events of the newest revision. */
  readonly events: readonly string[]
  /** The changes of content that these events carry. */
  readonly changes: readonly Change[]
  readonly state: CampaignState
}

/** A head with facts that are known already: those of `base`, null before the first commit. */
type Folding = Head & { readonly baseFacts: () => LogFacts | null; readonly facts: () => LogFacts }

/** Campaigns in the cache of a worker. */
const REMEMBERED = 4000

/** Writes one entry per commit: the changes that its events carry, those of its facts, actor, time and command. */
export async function applyCampaignRevisions(
  db: Kysely<Db>,
  { campaign_revisions, campaign_revision_heads }: RevisionTables,
  events: readonly StoredEvent[],
  memory: Memory,
): Promise<void> {
  const facts = campaignFacts(events)
  if (facts.length === 0) return
  const heads = await headsBefore(db, campaign_revision_heads, facts, memory)
  // Only the last entry of a commit is kept: making entries is the expensive part.
  const entries = new Map<string, Entry>()
  const newest = new Map<string, Entry>()
  for (const fact of facts) {
    const head = advanced(heads.get(fact.campaignId), fact)
    if (head === null) continue
    heads.set(fact.campaignId, head)
    const entry = { head, fact }
    entries.set(`${fact.campaignId} ${fact.meta.revision}`, entry)
    newest.set(fact.campaignId, entry)
  }
  await upsertRows(db, campaign_revisions, [...entries.values()].map(entryOf))
  await upsertRows(db, campaign_revision_heads, [...newest.values()].map(headRowOf))
  if (memory.size + heads.size > REMEMBERED) memory.clear()
  if (heads.size <= REMEMBERED) for (const [id, head] of heads) memory.set(id, head)
}

const headRowOf = ({ head: { version, events, base, changes, state }, fact: { campaignId, meta } }: Entry): HeadRow => {
  const complete = isComplete(meta)
  return { campaign_id: campaignId, version, events, state, base: complete ? null : base, changes: complete ? null : changes }
}

/** Whether an event is known to be the last of its commit. */
export const isComplete = ({ index, of }: Metadata): boolean => index + 1 === of

async function headsBefore(
  db: Kysely<Db>,
  table: RevisionTables['campaign_revision_heads'],
  facts: readonly CampaignFact[],
  memory: Memory,
): Promise<Map<string, Folding>> {
  const heads = new Map<string, Folding>()
  const isNew = new Set<string>()
  const missing = new Set<string>()
  for (const { campaignId, stored } of facts) {
    const remembered = memory.get(campaignId) as Folding | undefined
    if (remembered !== undefined) heads.set(campaignId, remembered)
    else if (stored.version === 1) isNew.add(campaignId)
    else if (!isNew.has(campaignId)) missing.add(campaignId)
  }
  if (missing.size === 0) return heads
  for (const head of await readHeads(db, table, [...missing])) {
    const { campaign_id: id, base, changes, state } = head
    const before = base ?? state
    heads.set(id, {
      ...head,
      base: before,
      changes: changes ?? [],
      baseFacts: once(() => earlierFacts(before)),
      facts: once(() => factsOf(state)),
    })
  }
  return heads
}

export async function readHeads(
  db: Kysely<Db>,
  heads: RevisionTables['campaign_revision_heads'],
  ids: readonly string[],
): Promise<readonly HeadRow[]> {
  const { rows } = await sql<HeadRow>`
    select campaign_id, version, base, events, changes, state from ${heads} where campaign_id = any(${[...ids]})`.execute(db)
  return rows
}

export const earlierFacts = (base: CampaignState): LogFacts | null => (base.revision === 0 ? null : factsOf(base))

/** Calculates when it is first asked. */
function once<T>(calculate: () => T): () => T {
  let known: { readonly value: T } | undefined
  return () => (known ??= { value: calculate() }).value
}

const NO_FACTS = () => null
const NOTHING = {
  version: 0,
  base: initialState,
  events: [],
  changes: [],
  state: initialState,
  baseFacts: NO_FACTS,
  facts: NO_FACTS,
}

function advanced(head: Folding | undefined, { campaignId, event, meta, stored }: CampaignFact): Folding | null {
  const from = head ?? NOTHING
  if (stored.version <= from.version) return null
  if (stored.version !== from.version + 1)
    throw new Error(`campaign ${campaignId}: version ${stored.version} does not follow ${from.version}`)
  const sameCommit = from.state.revision === meta.revision
  const state = evolve(from.state, event, meta)
  return {
    version: stored.version,
    base: sameCommit ? from.base : from.state,
    events: sameCommit ? [...from.events, event.type] : [event.type],
    changes: sameCommit ? [...from.changes, ...contentChanges(event)] : contentChanges(event),
    state,
    baseFacts: sameCommit ? from.baseFacts : from.facts,
    facts: once(() => factsOf(state)),
  }
}

/** The rows of one campaign from all its events, oldest first. */
export function revisionsOf(events: readonly StoredEvent[]): readonly RevisionRow[] {
  const entries = new Map<number, Entry>()
  let head: Folding | null = null
  for (const fact of campaignFacts(events)) {
    head = advanced(head ?? undefined, fact)
    if (head !== null) entries.set(fact.meta.revision, { head, fact })
  }
  return [...entries.values()].map(entryOf)
}

type Entry = { readonly head: Folding; readonly fact: CampaignFact }

const entryOf = ({ head, fact: { campaignId, meta } }: Entry): RevisionRow =>
  revisionRow(campaignId, meta, { ...head, baseFacts: head.baseFacts(), facts: head.facts() })

/** A commit, after its last event. */
export type Commit = Pick<Head, 'events' | 'changes' | 'state'> & {
  readonly baseFacts: LogFacts | null
  readonly facts: LogFacts
}

export const revisionRow = (
  campaignId: string,
  meta: Metadata,
  { events, changes, state, baseFacts, facts }: Commit,
): RevisionRow => ({
  campaign_id: campaignId,
  revision: meta.revision,
  at: meta.at,
  actor: meta.actor,
  role: meta.role,
  source: meta.source,
  on_behalf_of: meta.on_behalf_of,
  command_id: meta.command_id,
  events,
  changes: [...changes, ...changesOfFacts(baseFacts, facts)],
  full_state: meta.revision % FULL_STATE_EVERY === 0 ? logState(state) : null,
  status_key: facts.status_key,
})
