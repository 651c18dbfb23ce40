import { sql, type Kysely } from 'kysely'
import { emptyLogState } from '../../domain/campaign/log-state.ts'
import { applyJson, type Change, type Json } from '../../domain/campaign/changes.ts'

const VIEW = sql.table('rm_campaign_revisions')

export type RevisionRow = {
  readonly revision: number
  readonly at: string
  readonly actor: string
  readonly role: string
  readonly source: string
  readonly on_behalf_of: string | null
  readonly command_id: string
  readonly events: readonly string[]
  readonly changes: readonly Change[]
  readonly status_key: number
}
export type LogState = { readonly [key: string]: Json }
export type RevisionEntry = RevisionRow & { readonly previous: LogState | null; readonly current: LogState }

/** Number of change-log entries of a campaign. */
export async function countRevisions(db: Kysely<never>, campaignId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${VIEW} where campaign_id = ${campaignId}`.execute(db)
  return rows[0]?.n ?? 0
}

/** One page of the change log, newest first, with the state before and after each entry. `page` counts from zero. */
export async function revisionPage(
  db: Kysely<never>,
  campaignId: string,
  page: number,
  size: number,
): Promise<readonly RevisionEntry[]> {
  const { rows } = await sql<RevisionRow>`
    select revision, at, actor, role, source, on_behalf_of, command_id, events, changes, status_key from ${VIEW}
    where campaign_id = ${campaignId} order by revision desc limit ${size} offset ${page * size}`.execute(db)
  const oldest = rows.at(-1)
  if (oldest === undefined) return []
  const entries: RevisionEntry[] = []
  let state = await stateBefore(db, campaignId, oldest.revision)
  for (const row of [...rows].reverse()) {
    const current = applyJson(state ?? emptyLogState(), row.changes)
    entries.push({ ...row, previous: state, current })
    state = current
  }
  return entries.reverse()
}

/** The state that stood before a revision; null before the first. */
async function stateBefore(db: Kysely<never>, campaignId: string, revision: number): Promise<LogState | null> {
  if (revision <= 1) return null
  const full = await sql<{ revision: number; full_state: LogState }>`
    select revision, full_state from ${VIEW}
    where campaign_id = ${campaignId} and revision < ${revision} and full_state is not null
    order by revision desc limit 1`.execute(db)
  const start = full.rows[0]
  const steps = await sql<{ changes: readonly Change[] }>`
    select changes from ${VIEW}
    where campaign_id = ${campaignId} and revision > ${start?.revision ?? 0} and revision < ${revision} order by revision`.execute(
    db,
  )
  return steps.rows.reduce<LogState>((state, { changes }) => applyJson(state, changes), start?.full_state ?? emptyLogState())
}
