import { decodeCampaignEvent } from '#domain/campaign/events'
import { contentChanges, factsOf, type LogFacts } from '#domain/campaign/log-state'
import { advance, draftOf, initial as initialState, type CampaignState, type Draft } from '#domain/campaign/state'
import { readMetadata, type Metadata } from '#domain/kit/event-metadata'
import type { Change } from '#domain/kit/json-changes'
import { copyRows } from '#eventstore/postgres/copy-rows'
import type { Loader, ReadStored } from '#projections/projector/read-model'
import { copyOf, upsertRows } from '#projections/projector/table'
import { createLoadedCampaigns, type Loaded } from '../loaded-campaigns.ts'
import { earlierFacts, isComplete, readHeads, revisionRow } from './apply.ts'
import type { HeadRow, RevisionTables } from './tables.ts'

type Campaign = Loaded & {
  readonly state: Draft
  /** Facts of the newest commit that is complete; null before the first. */
  facts: LogFacts | null
  /** The newest commit. */
  commit: Commit
}

type Commit = {
  readonly revision: number
  /** Before it; null when its first event is its last. */
  readonly base: CampaignState | null
  readonly events: string[]
  readonly changes: Change[]
  /** Metadata of its newest event. */
  meta: Metadata | null
  isWritten: boolean
}

const NONE: Commit = { revision: 0, base: null, events: [], changes: [], meta: null, isWritten: true }

/**
 * Loads the rows of `applyCampaignRevisions`: an entry is written once, when its commit is complete, and a head when its campaign
 * leaves the memory.
 */
export function loadCampaignRevisions(tables: RevisionTables, stored: ReadStored, kept?: number): Loader {
  const { campaign_revisions: revisions, campaign_revision_heads: heads } = tables
  const campaigns = createLoadedCampaigns<Campaign>({
    kept,
    begin: (id) => ({ id, version: 0, state: draftOf(initialState), facts: null, commit: NONE, isStored: false }),
    read: async (ids) => (await stored((db) => readHeads(db, heads, ids))).map(fromHead),
  })
  let entries = copyOf(revisions)

  /** Writes the entry of the newest commit. As text at once: objects that wait for the end of a batch are most of the garbage. */
  function write(campaign: Campaign): void {
    const { id, state, commit } = campaign
    if (commit.isWritten || commit.meta === null) return
    const facts = factsOf(state)
    const { events, changes } = commit
    entries.add(revisionRow(id, commit.meta, { events, changes, state, baseFacts: campaign.facts, facts }))
    campaign.facts = facts
    commit.isWritten = true
  }

  function begin(campaign: Campaign, meta: Metadata): void {
    write(campaign)
    const { state } = campaign
    const base = isComplete(meta) ? null : draftOf(state)
    campaign.commit = { revision: meta.revision, base, events: [], changes: [], meta: null, isWritten: false }
  }

  return {
    async add(events) {
      await campaigns.fetch(events)
      for (const event of events) {
        const campaign = campaigns.of(event)
        if (campaign === null) continue
        const meta = readMetadata(event.metadata)
        const decoded = decodeCampaignEvent(event)
        if (campaign.commit.revision !== meta.revision) begin(campaign, meta)
        const { commit } = campaign
        // A commit's events follow each other in the log, so that no other campaign's come between.
        if (commit.isWritten) throw new Error(`campaign ${campaign.id}: revision ${meta.revision} continues after it was written`)
        advance(campaign.state, decoded, meta)
        commit.events.push(decoded.type)
        commit.changes.push(...contentChanges(decoded))
        commit.meta = meta
        if (isComplete(meta)) write(campaign)
      }
    },
    take(all) {
      const { added, changed } = campaigns.take(all)
      for (const campaign of [...added, ...changed]) write(campaign)
      const rows = entries.end()
      entries = copyOf(revisions)
      return async (db) => {
        await copyRows(db, revisions.name, rows)
        const first = copyOf(heads)
        for (const campaign of added) first.add(headOf(campaign))
        await copyRows(db, heads.name, first.end())
        if (changed.length > 0) await upsertRows(db, heads, changed.map(headOf))
      }
    },
  }
}

function headOf({ id, version, state, commit: { base, events, changes, meta } }: Campaign): HeadRow {
  const complete = meta === null || isComplete(meta)
  return { campaign_id: id, version, events, state, base: complete ? null : base, changes: complete ? null : changes }
}

const fromHead = ({ campaign_id: id, version, base, events, changes, state }: HeadRow): Campaign => ({
  id,
  version,
  state: draftOf(state),
  facts: earlierFacts(state),
  commit: { revision: state.revision, base, events: [...events], changes: [...(changes ?? [])], meta: null, isWritten: true },
  isStored: true,
})
