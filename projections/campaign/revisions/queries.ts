import { sql, type Kysely, type NotNull } from 'kysely'
import { emptyLogState } from '#domain/campaign/log-state'
import { pageAndTotal } from '#projections/page-and-total'
import { applyJson } from '#domain/kit/json-changes'
import type { Db } from '#migrations/db'
import type { StoredOf } from '#projections/projector/table'
import type { CAMPAIGN_REVISIONS, LogState } from './tables.ts'

const VIEW = sql.table('rm_campaign_revisions')

type RevisionRow = Omit<StoredOf<(typeof CAMPAIGN_REVISIONS)['campaign_revisions']>, 'campaign_id' | 'full_state'>
export type RevisionEntry = RevisionRow & { readonly previous: LogState | null; readonly current: LogState }

/** Null means no filter. `field` is a path without the ids of elements (`visuals.banners.file_id`). */
export type RevisionFilter = {
  readonly author: string | null
  readonly field: string | null
  readonly source: 'people' | 'system' | null
  /** UTC day, YYYY-MM-DD. */
  readonly day: string | null
}
const EVERYTHING: RevisionFilter = { author: null, field: null, source: null, day: null }

/** Number of change-log entries of a campaign. */
export async function countRevisions(db: Kysely<Db>, campaignId: string): Promise<number> {
  const revisions = db.selectFrom('rm_campaign_revisions').select(sql<number>`count(*)::int`.as('count'))
  return (await revisions.where('campaign_id', '=', campaignId).executeTakeFirst())?.count ?? 0
}

type RevisionHead = Pick<RevisionRow, 'revision' | 'at' | 'actor' | 'events'>

const headsOf = (db: Kysely<Db>, campaignId: string) =>
  db
    .selectFrom('rm_campaign_revisions')
    .select(['revision', 'at', 'actor', 'events'])
    .where('campaign_id', '=', campaignId)
    .orderBy('revision', 'desc')

/** Every entry of a campaign without its changes, newest first. */
export const revisionIndex = (db: Kysely<Db>, campaignId: string): Promise<readonly RevisionHead[]> =>
  headsOf(db, campaignId).execute()

/** The newest entries of a campaign after a revision, without their changes, newest first. */
export const revisionsAfter = (
  db: Kysely<Db>,
  campaignId: string,
  after: number,
  most: number,
): Promise<readonly RevisionHead[]> => headsOf(db, campaignId).where('revision', '>', after).limit(most).execute()

/** Every entry of a campaign with all its columns, oldest first. */
export async function storedRevisions(
  db: Kysely<Db>,
  campaignId: string,
): Promise<readonly { readonly revision: number; readonly [column: string]: unknown }[]> {
  const { rows } = await sql<{ row: { revision: number } }>`
    select to_jsonb(r) as row from ${VIEW} r where campaign_id = ${campaignId} order by revision`.execute(db)
  return rows.map(({ row }) => row)
}

/**
 * One page of the change log, newest first, with the state before and after each entry, and how many entries the filter lets
 * through. `page` counts from zero.
 */
export async function revisionPage(
  db: Kysely<Db>,
  campaignId: string,
  page: number,
  size: number,
  filter = EVERYTHING,
): Promise<{ readonly entries: readonly RevisionEntry[]; readonly total: number }> {
  const { rows, total } = await pageAndTotal(db, {
    found: sql`select revision from ${VIEW} where ${matching(campaignId, filter)}`,
    order: sql`page.revision desc`,
    page,
    size,
    shown: sql<RevisionRow>`
      select r.revision, r.at, r.actor, r.role, r.source, r.on_behalf_of, r.command_id, r.events, r.changes, r.status_key
      from page join ${VIEW} r on r.campaign_id = ${campaignId} and r.revision = page.revision`,
  })
  const entries: RevisionEntry[] = []
  let newest: RevisionEntry | undefined
  for (const row of [...rows].reverse()) {
    // Entries that the filter left out still changed the state.
    const follows = newest !== undefined && row.revision === newest.revision + 1
    const previous = follows ? (newest?.current ?? null) : await stateBefore(db, campaignId, row.revision)
    newest = { ...row, previous, current: applyJson(previous ?? emptyLogState(), row.changes) }
    entries.push(newest)
  }
  return { entries: entries.reverse(), total }
}

/** A change is about a field when it lies in it, or when it set something that the field lies in. */
const matching = (campaignId: string, { author, field, source, day }: RevisionFilter) => sql<boolean>`
  campaign_id = ${campaignId}
  and (${author}::text is null or actor = ${author})
  and (${day}::text is null or starts_with(at, ${day}))
  and (${source}::text is null or starts_with(actor, 'system:') = (${source} = 'system'))
  and (${field}::text is null or exists (
    select from json_array_elements(changes) as change, regexp_replace(change ->> 'path', '\\[[^]]*\\]', '', 'g') as path
    where path = ${field} or starts_with(path, ${field} || '.') or starts_with(${field}, path || '.')))`

/** The state that stood before a revision; null before the first. */
async function stateBefore(db: Kysely<Db>, campaignId: string, revision: number): Promise<LogState | null> {
  if (revision <= 1) return null
  const revisions = db.selectFrom('rm_campaign_revisions').where('campaign_id', '=', campaignId).where('revision', '<', revision)
  const start = await revisions
    .select(['revision', 'full_state'])
    .where('full_state', 'is not', null)
    .orderBy('revision', 'desc')
    .limit(1)
    .$narrowType<{ full_state: NotNull }>()
    .executeTakeFirst()
  const steps = await revisions
    .select('changes')
    .where('revision', '>', start?.revision ?? 0)
    .orderBy('revision')
    .execute()
  return steps.reduce<LogState>((state, { changes }) => applyJson(state, changes), start?.full_state ?? emptyLogState())
}
