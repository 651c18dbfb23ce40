import { sql, type Kysely } from 'kysely'
import {
  AUDIENCE_STREAMS,
  decodeAudienceEvent,
  evolve as evolveAudience,
  initial as initialAudience,
  statusOf,
  type AudienceEvent,
  type AudienceKind,
  type AudienceState,
  type VersionCounts,
} from '#domain/audience/audience'
import type { AudienceStatus, VersionStatus } from '#domain/audience/audience-status'
import type { RuleGroup } from '#domain/campaign/content/content'
import { readMetadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { addRows, column, table, upsertRows, type PhysicalSet } from '../projector/table.ts'
import { SEARCH_NAME } from '../name-search.ts'

/** Audiences and their versions. Deleted ones have no row. */
export const AUDIENCES = {
  audiences: table(
    {
      id: column.id(),
      space_id: column.id(),
      whitelabel_id: column.id(),
      kind: column.text<AudienceKind>(),
      name: column.text(),
      search_name: column.computed(SEARCH_NAME),
      rules: column.json<RuleGroup>().orNull,
      status: column.small<AudienceStatus>(),
      /** The newest version that is ready; null before the first. */
      ready: column.int.orNull,
      created_by: column.id(),
      created_at: column.id(),
      updated_at: column.id(),
      state: column.json<AudienceState>(),
      version: column.int,
    },
    {
      key: ['id'],
      indexes: ['(space_id, updated_at desc, id)', '(whitelabel_id, updated_at desc, id)', '(kind, id)'],
    },
  ),
  audience_versions: table(
    {
      audience_id: column.id(),
      version: column.int,
      status: column.text<VersionStatus>(),
      rules: column.json<RuleGroup>().orNull,
      rows: column.int.or('0'),
      accepted: column.int.or('0'),
      rejected: column.int.or('0'),
      duplicates: column.int.or('0'),
      reasons: column.json<VersionCounts['reasons']>().or("'{}'"),
      code: column.small().orNull,
      started_by: column.id(),
      started_at: column.id(),
      finished_at: column.id().orNull,
    },
    { key: ['audience_id', 'version'] },
  ),
}
type Tables = PhysicalSet<typeof AUDIENCES>

export const isOfAudience = ({ stream }: Pick<StoredEvent, 'stream'>): boolean => stream.startsWith(AUDIENCE_STREAMS)

export async function applyAudiences(db: Kysely<Db>, tables: Tables, events: readonly StoredEvent[]): Promise<void> {
  for (const stored of events.filter(isOfAudience)) {
    const id = stored.stream.slice(AUDIENCE_STREAMS.length)
    const { rows } = await sql<{ readonly state: AudienceState; readonly version: number }>`
      select state, version from ${tables.audiences} where id = ${id}`.execute(db)
    const before = rows[0]
    // An event that was applied before. A deletion is the last event of its stream.
    if ((before?.version ?? 0) >= stored.version) continue
    const event = decodeAudienceEvent(stored)
    if (before === undefined && event.type !== 'AudienceCreated') continue
    await applyOne(db, tables, { id, stored, event, state: evolveAudience(before?.state ?? initialAudience, event) })
  }
}

type Applied = {
  readonly id: string
  readonly stored: StoredEvent
  readonly event: AudienceEvent
  readonly state: AudienceState
}

async function applyOne(db: Kysely<Db>, tables: Tables, applied: Applied): Promise<void> {
  const { id, event, stored, state } = applied
  if (event.type === 'AudienceDeleted') {
    await sql`delete from ${tables.audiences} where id = ${id}`.execute(db)
    await sql`delete from ${tables.audience_versions} where audience_id = ${id}`.execute(db)
    return
  }
  const { at, actor } = readMetadata(stored.metadata)
  const { space_id, whitelabel_id, kind, name, rules, versions } = state
  const ready = versions.lastIndexOf('ready') + 1
  const row = { id, space_id, whitelabel_id, kind, name, rules, status: statusOf(versions), ready: ready === 0 ? null : ready }
  await upsertRows(
    db,
    tables.audiences,
    [{ ...row, created_by: actor, created_at: at, updated_at: at, state, version: stored.version }],
    ['created_by', 'created_at'],
  )
  await applyVersion(db, tables.audience_versions, applied, { at, actor })
}

async function applyVersion(
  db: Kysely<Db>,
  versions: Tables['audience_versions'],
  { id, event, state }: Applied,
  { at, actor }: { readonly at: string; readonly actor: string },
): Promise<void> {
  if (event.type === 'AudienceVersionStarted') {
    const { version } = event.data
    await addRows(db, versions, [
      { audience_id: id, version, status: 'processing', rules: state.rules, started_by: actor, started_at: at },
    ])
  } else if (event.type === 'AudienceVersionReady') {
    const { version, rows, accepted, rejected, duplicates, reasons } = event.data
    await sql`
      update ${versions}
      set status = 'ready', rows = ${rows}, accepted = ${accepted}, rejected = ${rejected}, duplicates = ${duplicates},
          reasons = ${JSON.stringify(reasons)}::json, finished_at = ${at}
      where audience_id = ${id} and version = ${version}`.execute(db)
  } else if (event.type === 'AudienceVersionFailed') {
    const { version, code } = event.data
    await sql`
      update ${versions} set status = 'failed', code = ${code}, finished_at = ${at}
      where audience_id = ${id} and version = ${version}`.execute(db)
  }
}
