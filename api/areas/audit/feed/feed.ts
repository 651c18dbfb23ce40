import { auditValues } from '#domain/audit/event-changes'
import { streamOfSubject } from '#domain/audit/event-kinds'
import { decodeEvent } from '#domain/every-event'
import type { Actor } from '#domain/kit/access'
import { readMetadata } from '#domain/kit/event-metadata'
import { isFromNewerBuild } from '#domain/kit/event-schema'
import type { Change } from '#domain/kit/json-changes'
import type { StoredEvent } from '#eventstore/event-store'
import { actorNamer } from '#commands/identity/person'
import { namesOfSubjects, readFeed, type FeedFilter, type FeedRange, type FeedRow } from '#projections/audit/queries'
import type { FeedEntry } from '#contract/audit-feed'
import type { Needs } from '#api/areas/services'

/** Events that are read from the log at once. */
const READ_AT_ONCE = 200
/** Bytes of events in one page: an event has a megabyte at most. */
const MOST_BYTES = 4_000_000

export type EntryPage = {
  readonly entries: readonly FeedEntry[]
  readonly next: bigint | null
  readonly head: bigint
}

export type FeedDeps = Needs<'db' | 'people' | 'store' | 'whiteLabels'>
export type Feed = ReturnType<typeof createFeed>

/** Entries of the feed: rows of the read model, and what their events say from the log itself. */
export function createFeed({ db, store, people, whiteLabels }: FeedDeps) {
  /** @param viewer - staff: only they see the names of other people. */
  async function page(
    viewer: Pick<Actor, 'roles'>,
    filter: FeedFilter,
    range: FeedRange,
    mostBytes = MOST_BYTES,
  ): Promise<EntryPage> {
    const { rows, next, head } = await readFeed(db, filter, range)
    const found: { readonly row: FeedRow; readonly stored: StoredEvent | undefined }[] = []
    let bytes = 0
    for (let from = 0; from < rows.length && bytes < mostBytes; from += READ_AT_ONCE) {
      const part = rows.slice(from, from + READ_AT_ONCE)
      const events = await Promise.all(part.map(eventOf))
      for (const [i, row] of part.entries()) {
        if (bytes >= mostBytes) break
        const stored = events[i]
        found.push({ row, stored })
        bytes += stored?.data.length ?? 0
      }
    }
    const entries = await entriesOf(viewer, found)
    return { entries, next: found.length < rows.length ? (found.at(-1)?.row.position ?? next) : next, head }
  }

  const eventOf = async ({ kind, subject_id, version }: FeedRow): Promise<StoredEvent | undefined> =>
    (await store.readStream(streamOfSubject(kind, subject_id), version - 1, 1))[0]

  async function entriesOf(
    viewer: Pick<Actor, 'roles'>,
    found: readonly { readonly row: FeedRow; readonly stored: StoredEvent | undefined }[],
  ): Promise<readonly FeedEntry[]> {
    const rows = found.map(({ row }) => row)
    const [nameOf, known] = await Promise.all([
      namesOfSubjects(db, rows),
      people.namesOf([...new Set(rows.flatMap(({ actor }) => (isPerson(actor) ? [actor] : [])))]),
    ])
    return found.map(({ row, stored }): FeedEntry => {
      const { kind, subject_id, space_id, whitelabel_id, actor, type } = row
      const spaceName = space_id === null ? null : nameOf('account', space_id)
      const subjectName = () => {
        if (kind === 'white-label') return whiteLabels.brandOf(subject_id).name
        return kind === 'account' || kind === 'ledger' ? spaceName : nameOf(kind, subject_id)
      }
      return {
        position: String(row.position),
        at: row.at,
        kind,
        subject_id,
        subject_name: subjectName(),
        space_id,
        space_name: spaceName,
        whitelabel_id,
        version: row.version,
        revision: row.revision,
        type,
        actor_id: isPerson(actor) ? actor : null,
        author: actorNamer(viewer, space_id ?? '', known)(actor, type),
        role: row.role,
        on_behalf_of: row.on_behalf_of,
        source: row.source,
        changes: stored === undefined ? [] : [...changesOf(stored, row)],
        hash: stored === undefined ? '' : hashOf(stored),
      }
    })
  }

  return { page }
}

const isPerson = (actor: string): boolean => actor !== '' && !actor.startsWith('system:')

/** Empty for an event whose bytes cannot be read. */
function changesOf(stored: StoredEvent, { was }: FeedRow): readonly Change[] {
  try {
    return auditValues(decodeEvent(stored), was ?? {})
  } catch (error) {
    if (isFromNewerBuild(error)) throw error
    return []
  }
}

function hashOf({ metadata }: StoredEvent): string {
  try {
    return readMetadata(metadata).hash ?? ''
  } catch {
    return ''
  }
}
