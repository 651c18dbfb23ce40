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
import { column, table, upsertRows, type PhysicalSet } from '../projector/table.ts'

/** White-labels with events: their states. */
export const WHITE_LABELS = {
  white_labels: table(
    {
      whitelabel_id: column.id(),
      /** Version of the last event in the state. */
      version: column.int,
      /** Revision of that event. */
      revision: column.int,
      state: column.jsonb<WhiteLabelState>(),
    },
    { key: ['whitelabel_id'] },
  ),
}

export const changesWhiteLabels = ({ stream }: StoredEvent): boolean => stream.startsWith(WHITE_LABEL_STREAMS)

export async function applyWhiteLabels(
  db: Kysely<Db>,
  { white_labels }: PhysicalSet<typeof WHITE_LABELS>,
  events: readonly StoredEvent[],
): Promise<void> {
  for (const stored of events) {
    if (!changesWhiteLabels(stored)) continue
    const id = stored.stream.slice(WHITE_LABEL_STREAMS.length)
    const { rows } = await sql<{ version: number; state: WhiteLabelState }>`
      select version, state from ${white_labels} where whitelabel_id = ${id}`.execute(db)
    const [before] = rows
    // An event that was applied before.
    if (before !== undefined && before.version >= stored.version) continue
    const state = evolveWhiteLabel(before?.state ?? initialWhiteLabel, decodeWhiteLabelEvent(stored))
    const { revision } = readMetadata(stored.metadata)
    await upsertRows(db, white_labels, [{ whitelabel_id: id, version: stored.version, revision, state }])
  }
}

/** All white-labels that have events. There are dozens at most. */
export const allWhiteLabels = (db: Kysely<Db>) =>
  db.selectFrom('rm_white_labels').select(['whitelabel_id', 'revision', 'state']).execute()

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
