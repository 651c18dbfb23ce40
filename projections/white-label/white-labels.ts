import { sql, type Kysely } from 'kysely'
import { readMetadata } from '#domain/kit/event-metadata'
import {
  decodeWhiteLabelEvent,
  evolve as evolveWhiteLabel,
  initial as initialWhiteLabel,
  WHITE_LABEL_STREAMS,
  type WhiteLabelState,
} from '#domain/white-label/white-label'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'

/** White-labels with events: their states. */
export const WHITE_LABELS = 'white_labels'

export const changesWhiteLabels = ({ stream }: StoredEvent): boolean => stream.startsWith(WHITE_LABEL_STREAMS)

export async function createWhiteLabelsTable(db: Kysely<Db>, table: string): Promise<void> {
  await sql`
    create table ${sql.table(table)} (
      whitelabel_id text collate "C" primary key,
      -- Version of the last event in the state.
      version integer not null,
      -- Of that event.
      revision integer not null,
      state jsonb not null
    )`.execute(db)
}

export async function applyWhiteLabels(db: Kysely<Db>, table: string, events: readonly StoredEvent[]): Promise<void> {
  for (const stored of events) {
    if (!changesWhiteLabels(stored)) continue
    const id = stored.stream.slice(WHITE_LABEL_STREAMS.length)
    const { rows } = await sql<{ version: number; state: WhiteLabelState }>`
      select version, state from ${sql.table(table)} where whitelabel_id = ${id}`.execute(db)
    const [before] = rows
    // An event that was applied before.
    if (before !== undefined && before.version >= stored.version) continue
    const state = evolveWhiteLabel(before?.state ?? initialWhiteLabel, decodeWhiteLabelEvent(stored))
    await sql`
      insert into ${sql.table(table)} (whitelabel_id, version, revision, state)
      values (${id}, ${stored.version}, ${readMetadata(stored.metadata).revision}, ${JSON.stringify(state)}::jsonb)
      on conflict (whitelabel_id) do update
      set version = excluded.version, revision = excluded.revision, state = excluded.state`.execute(db)
  }
}

export type WhiteLabelRow = { readonly whitelabel_id: string; readonly revision: number; readonly state: WhiteLabelState }

/** All white-labels that have events. There are dozens at most. */
export async function allWhiteLabels(db: Kysely<Db>): Promise<readonly WhiteLabelRow[]> {
  return db.selectFrom('rm_white_labels').select(['whitelabel_id', 'revision', 'state']).$castTo<WhiteLabelRow>().execute()
}

/** White-labels whose house account is not opened yet. */
export async function withoutHouse(db: Kysely<Db>): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select w.whitelabel_id as id, w.state->'branding'->>'name' as name from rm_white_labels w
    where (w.state->>'created')::boolean
      and not exists (select 1 from rm_accounts a where a.house and a.whitelabel_id = w.whitelabel_id)`.execute(db)
  return rows
}

/** Settings from before white-labels had events. */
export const earlierSettings = (db: Kysely<Db>) =>
  db.selectFrom('app.whitelabel_settings').select(['whitelabel_id', 'own_approval']).execute()
