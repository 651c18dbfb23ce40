import { statusOf } from '#domain/campaign/status/status'
import type { StoredEvent } from '#eventstore/event-store'
import { fold } from './replay.ts'

type Columns = { readonly [column: string]: unknown }

/** The rows of one campaign in the read models, with all their columns. */
export type Shown = {
  readonly row: (Columns & { readonly version: number; readonly revision: number; readonly status_key: number }) | null
  readonly revisions: readonly (Columns & { readonly revision: number })[]
}

/** The same rows as the read models derive them from events. */
export type Derive = {
  readonly row: (events: readonly StoredEvent[]) => Columns
  readonly revisions: (events: readonly StoredEvent[]) => readonly (Columns & { readonly revision: number })[]
}

/** Events that this build cannot decode, one sentence each. */
export function unreadable(events: readonly StoredEvent[]): readonly string[] {
  if (succeeds(() => fold(events))) return []
  const found = events.filter((stored) => !succeeds(() => fold([stored])))
  return found.length === 0
    ? ['the events cannot be read one after the other']
    : found.map(({ version }) => `version ${version} cannot be read`)
}

function succeeds(run: () => unknown): boolean {
  try {
    run()
    return true
  } catch {
    return false
  }
}

/**
 * Differences between the read models and the log, each compared at the position of the read model: a concurrent save is no
 * difference. The `known` events were stored before the read models were queried, and should be visible. Shows a cut tail, which
 * the hash chain alone cannot (fine print 23).
 */
export function differences(
  { row, revisions }: Shown,
  known: number,
  events: readonly StoredEvent[],
  derive: Derive,
): readonly string[] {
  const faults: string[] = []
  const log = fold(events)
  if (row === null) faults.push('campaign-list has no row for this campaign')
  else {
    const until = events.slice(0, row.version)
    const then = fold(until)
    if (row.version < known || row.version > events.length)
      faults.push(`campaign-list stands at revision ${row.revision}, the log at ${log.revision}`)
    else if (row.revision !== then.revision || row.status_key !== statusOf(then))
      faults.push(
        `campaign-list says status ${row.status_key} at revision ${row.revision}, the log ${statusOf(then)} at ${then.revision}`,
      )
    else
      for (const column of otherColumns(row, derive.row(until))) faults.push(`campaign-list shows another ${column} than the log`)
  }
  const shouldShow = fold(events.slice(0, known)).revision
  if (revisions.length < shouldShow || revisions.length > log.revision)
    faults.push(`campaign-revisions has ${revisions.length} entries, the log ${log.revision} revisions`)
  else {
    const derived = new Map(derive.revisions(events).map((entry) => [entry.revision, entry]))
    for (const shown of revisions) {
      const entry = derived.get(shown.revision)
      if (entry === undefined) faults.push(`campaign-revisions has an entry for revision ${shown.revision}, the log has none`)
      else
        for (const column of otherColumns(shown, entry))
          faults.push(`campaign-revisions shows another ${column} of revision ${shown.revision} than the log`)
    }
  }
  return faults
}

/** Columns whose values differ. The database returns some of the large numbers as numbers, the read models write them as bigints. */
const otherColumns = (shown: Columns, derived: Columns): readonly string[] =>
  Object.keys(derived).filter((column) => {
    const [a, b] = [shown[column], derived[column]].map((value) =>
      typeof value === 'number' || typeof value === 'bigint' ? String(value) : (value ?? null),
    )
    return !isSameJson(a, b)
  })

/** True for the same JSON, ignoring key order. */
function isSameJson(a: unknown, b: unknown): boolean {
  const ordered = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(ordered)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([x], [y]) => (x < y ? -1 : 1))
              .map(([key, inner]) => [key, ordered(inner)]),
          )
        : value
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b))
}
