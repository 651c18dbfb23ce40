import { logState } from '../domain/campaign/log-state.ts'
import { statusOf } from '../domain/campaign/status/status.ts'
import type { StoredEvent } from '../eventstore/event-store.ts'
import { fold, stateAfter } from './replay.ts'

/** What the read models show of one campaign. */
export type Shown = {
  readonly row: { readonly version: number; readonly revision: number; readonly status_key: number } | null
  readonly newest: { readonly revision: number; readonly current: unknown } | undefined
  readonly total: number
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
export function differences({ row, newest, total }: Shown, known: number, events: readonly StoredEvent[]): readonly string[] {
  const faults: string[] = []
  const log = fold(events)
  if (row === null) faults.push('campaign-list has no row for this campaign')
  else {
    const then = fold(events.slice(0, row.version))
    if (row.version < known || row.version > events.length)
      faults.push(`campaign-list stands at revision ${row.revision}, the log at ${log.revision}`)
    else if (row.revision !== then.revision || row.status_key !== statusOf(then))
      faults.push(
        `campaign-list says status ${row.status_key} at revision ${row.revision}, the log ${statusOf(then)} at ${then.revision}`,
      )
  }
  const shouldShow = fold(events.slice(0, known)).revision
  if (total < shouldShow || total > log.revision)
    faults.push(`campaign-revisions has ${total} entries, the log ${log.revision} revisions`)
  else if (newest !== undefined && !isSameJson(newest.current, logState(stateAfter(events, newest.revision))))
    faults.push('campaign-revisions shows another state than the log')
  return faults
}

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
