import { sql, type Kysely } from 'kysely'
import {
  AUDIENCE_STREAMS,
  decodeAudienceEvent,
  evolve as evolveAudience,
  initial as initialAudience,
  statusOf,
  type AudienceState,
  type AudienceEvent,
} from '#domain/audience/audience'
import { readMetadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { SEARCH_NAME } from '../name-search.ts'

/** Audiences and their versions. Deleted ones have no row. */
export const AUDIENCES = 'audiences'
export const AUDIENCE_VERSIONS = 'audience_versions'

export type AudienceTables = { readonly audiences: string; readonly versions: string }

export async function createAudiencesTables(db: Kysely<Db>, { audiences, versions }: AudienceTables): Promise<void> {
  await sql`
    create table ${sql.table(audiences)} (
      id text collate "C" primary key,
      space_id text collate "C" not null,
      whitelabel_id text collate "C" not null,
      kind text not null,
      name text not null,
      search_name ${SEARCH_NAME},
      rules json,
      status smallint not null,
      -- The newest version that is ready; null before the first.
      ready integer,
      created_by text collate "C" not null,
      created_at text collate "C" not null,
      updated_at text collate "C" not null,
      state json not null,
      version integer not null
    )`.execute(db)
  await sql`
    create table ${sql.table(versions)} (
      audience_id text collate "C" not null,
      version integer not null,
      status text not null,
      rules json,
      rows integer not null default 0,
      accepted integer not null default 0,
      rejected integer not null default 0,
      duplicates integer not null default 0,
      reasons json not null default '{}',
      code smallint,
      started_by text collate "C" not null,
      started_at text collate "C" not null,
      finished_at text collate "C",
      primary key (audience_id, version)
    )`.execute(db)
}

export async function indexAudiencesTable(db: Kysely<Db>, { audiences }: AudienceTables): Promise<void> {
  await sql`create index on ${sql.table(audiences)} (space_id, updated_at desc, id)`.execute(db)
  await sql`create index on ${sql.table(audiences)} (whitelabel_id, updated_at desc, id)`.execute(db)
  await sql`create index on ${sql.table(audiences)} (kind, id)`.execute(db)
}

export const isOfAudience = ({ stream }: Pick<StoredEvent, 'stream'>): boolean => stream.startsWith(AUDIENCE_STREAMS)

export async function applyAudiences(db: Kysely<Db>, tables: AudienceTables, events: readonly StoredEvent[]): Promise<void> {
  for (const stored of events.filter(isOfAudience)) {
    const id = stored.stream.slice(AUDIENCE_STREAMS.length)
    const { rows } = await sql<{ readonly state: AudienceState; readonly version: number }>`
      select state, version from ${sql.table(tables.audiences)} where id = ${id}`.execute(db)
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

async function applyOne(db: Kysely<Db>, tables: AudienceTables, applied: Applied): Promise<void> {
  const { id, event, stored, state } = applied
  if (event.type === 'AudienceDeleted') {
    await sql`delete from ${sql.table(tables.audiences)} where id = ${id}`.execute(db)
    await sql`delete from ${sql.table(tables.versions)} where audience_id = ${id}`.execute(db)
    return
  }
  const { at, actor } = readMetadata(stored.metadata)
  const { space_id, whitelabel_id, kind, name, rules, versions } = state
  const ready = versions.lastIndexOf('ready') + 1
  await sql`
    insert into ${sql.table(tables.audiences)} as a
      (id, space_id, whitelabel_id, kind, name, rules, status, ready, created_by, created_at, updated_at, state, version)
    values (${id}, ${space_id}, ${whitelabel_id}, ${kind}, ${name}, ${rules === null ? null : JSON.stringify(rules)}::json,
      ${statusOf(versions)}, ${ready === 0 ? null : ready}, ${actor}, ${at}, ${at}, ${JSON.stringify(state)}::json, ${stored.version})
    on conflict (id) do update
      set name = excluded.name, rules = excluded.rules, status = excluded.status,
          ready = excluded.ready, updated_at = excluded.updated_at, state = excluded.state, version = excluded.version`.execute(
    db,
  )
  await applyVersion(db, tables.versions, applied, { at, actor })
}

async function applyVersion(
  db: Kysely<Db>,
  table: string,
  { id, event, state }: Applied,
  { at, actor }: { readonly at: string; readonly actor: string },
): Promise<void> {
  if (event.type === 'AudienceVersionStarted') {
    const rules = state.rules === null ? null : JSON.stringify(state.rules)
    await sql`
      insert into ${sql.table(table)} (audience_id, version, status, rules, started_by, started_at)
      values (${id}, ${event.data.version}, 'processing', ${rules}::json, ${actor}, ${at})
      on conflict (audience_id, version) do nothing`.execute(db)
  } else if (event.type === 'AudienceVersionReady') {
    const { version, rows, accepted, rejected, duplicates, reasons } = event.data
    await sql`
      update ${sql.table(table)}
      set status = 'ready', rows = ${rows}, accepted = ${accepted}, rejected = ${rejected}, duplicates = ${duplicates},
          reasons = ${JSON.stringify(reasons)}::json, finished_at = ${at}
      where audience_id = ${id} and version = ${version}`.execute(db)
  } else if (event.type === 'AudienceVersionFailed') {
    const { version, code } = event.data
    await sql`
      update ${sql.table(table)} set status = 'failed', code = ${code}, finished_at = ${at}
      where audience_id = ${id} and version = ${version}`.execute(db)
  }
}
