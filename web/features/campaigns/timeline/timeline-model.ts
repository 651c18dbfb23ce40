import type { RevisionLine } from '#contract/audit'
import type { StatusChangeRow } from '#contract/status-history'

/** Time and revisions of a timeline. Instants are epoch milliseconds. */

export const DAY = 86_400_000

/** A moment, and the newest revision at it. */
export type Cursor = { readonly time: number; readonly revision: number }
export type Window = { readonly start: number; readonly end: number }

export const timeOf = ({ commit_date }: Pick<RevisionLine, 'commit_date'>): number => Date.parse(commit_date)

/** Returns the cursor at an instant. The index is newest first; before the first revision the campaign did not exist. */
export function cursorAt(index: readonly RevisionLine[], time: number): Cursor {
  const first = index.at(-1)
  const begun = first === undefined ? time : Math.max(time, timeOf(first))
  return { time: begun, revision: index.find((line) => timeOf(line) <= begun)?.revision ?? first?.revision ?? 1 }
}

export const cursorOf = (line: RevisionLine): Cursor => ({ time: timeOf(line), revision: line.revision })

/** Returns the cursor of an address: of its revision, else of its instant, else of now. */
export function cursorFrom(
  index: readonly RevisionLine[],
  { revision, at }: { readonly revision?: number | undefined; readonly at?: string | undefined },
  now: number,
): Cursor {
  const line = index.find((one) => one.revision === revision)
  if (line !== undefined) return cursorOf(line)
  return cursorAt(index, at === undefined ? now : Math.min(Date.parse(at), now))
}

/** Returns the cursor at the revision before this moment; between two revisions, at the older of them. */
export function earlier(index: readonly RevisionLine[], { time, revision }: Cursor): Cursor | null {
  const here = index.find((line) => line.revision === revision)
  if (here !== undefined && timeOf(here) < time) return cursorOf(here)
  const before = index.find((line) => line.revision < revision)
  return before === undefined ? null : cursorOf(before)
}

/** Returns the cursor at the revision after this moment. */
export function later(index: readonly RevisionLine[], { revision }: Cursor): Cursor | null {
  const after = index.findLast((line) => line.revision > revision)
  return after === undefined ? null : cursorOf(after)
}

/** Returns the period that is shown: these days up to now, or around a cursor before them. */
export function windowOf(life: Window, days: number | null, cursor: number): Window {
  if (days === null || life.end - life.start <= days * DAY) return life
  const length = days * DAY
  if (cursor >= life.end - length) return { start: life.end - length, end: life.end }
  const start = Math.max(life.start, cursor - length / 2)
  return { start, end: start + length }
}

/** Moment to which a key of the slider moves the cursor. Page keys move by a day: the state of the day before is one key away. */
export function movedByKey(key: string, index: readonly RevisionLine[], cursor: Cursor, now: number): Cursor | null {
  const first = index.at(-1)
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return earlier(index, cursor)
    case 'ArrowRight':
    case 'ArrowUp':
      return later(index, cursor) ?? cursorAt(index, now)
    case 'PageDown':
      return cursorAt(index, cursor.time - DAY)
    case 'PageUp':
      return cursorAt(index, Math.min(now, cursor.time + DAY))
    case 'Home':
      return first === undefined ? null : cursorOf(first)
    case 'End':
      return cursorAt(index, now)
    default:
      return null
  }
}

/** A stretch of time with one status. */
export type Band = Window & { readonly change: StatusChangeRow }

/** Returns the statuses within a window, oldest first. The history is newest first. */
export function bandsOf(history: readonly StatusChangeRow[], { start, end }: Window): readonly Band[] {
  return history
    .map((change, place) => {
      const next = history[place - 1]
      return {
        change,
        start: Math.max(start, Date.parse(change.at)),
        end: Math.min(end, next === undefined ? end : Date.parse(next.at)),
      }
    })
    .filter((band) => band.end > band.start)
    .toReversed()
}

/** The status at a cursor. */
export const statusAt = (history: readonly StatusChangeRow[], { revision }: Cursor): StatusChangeRow | undefined =>
  history.find((change) => change.revision <= revision)

/** `decision`: of a moderator or an exchange; `person`: a change by a user; `system`: what time and money brought. */
export type MarkKind = 'decision' | 'person' | 'system'
export type Mark = { readonly kind: MarkKind; readonly time: number; readonly revision: number; readonly count: number }

const DECISIONS: ReadonlySet<string> = new Set(['CampaignApproved', 'CampaignRejected', 'ExchangeDecided'])
const RANK: Readonly<Record<MarkKind, number>> = { decision: 2, person: 1, system: 0 }

/** Returns the marks of the revisions in a window, oldest first. Marks closer than `least` milliseconds become one, of the most important kind. */
export function marksOf(
  index: readonly RevisionLine[],
  history: readonly StatusChangeRow[],
  { start, end }: Window,
  least: number,
): readonly Mark[] {
  const decided = new Set(history.filter(({ cause }) => DECISIONS.has(cause)).map(({ revision }) => revision))
  const marks: Mark[] = []
  for (const line of index.toReversed()) {
    const time = timeOf(line)
    if (time < start || time > end) continue
    const kind = decided.has(line.revision) ? 'decision' : line.author_id === null ? 'system' : 'person'
    const last = marks.at(-1)
    if (last === undefined || time - last.time >= least) marks.push({ kind, time, revision: line.revision, count: 1 })
    else {
      const leads = RANK[kind] >= RANK[last.kind]
      marks[marks.length - 1] = {
        kind: leads ? kind : last.kind,
        time: last.time,
        revision: leads ? line.revision : last.revision,
        count: last.count + 1,
      }
    }
  }
  return marks
}

/** A scheduled change; `text` is what happens and when. */
export type Planned = { readonly time: number; readonly text: string }
export type PlannedMark = { readonly time: number; readonly texts: readonly string[] }

/** Returns the marks of what is scheduled after a moment, in order of time. Marks closer than `least` milliseconds become one. */
export function plannedMarks(planned: readonly Planned[], now: number, least: number): readonly PlannedMark[] {
  const marks: PlannedMark[] = []
  for (const { time, text } of planned.toSorted((a, b) => a.time - b.time)) {
    if (time <= now) continue
    const last = marks.at(-1)
    if (last === undefined || time - last.time >= least) marks.push({ time, texts: [text] })
    else marks[marks.length - 1] = { time: last.time, texts: [...last.texts, text] }
  }
  return marks
}

/** Returns the blame of a field: of its own path, else of the nearest path around or within it. */
export function blameOf<Line extends { readonly path: string; readonly revision: number }>(
  lines: readonly Line[],
  path: string,
): Line | undefined {
  const near = lines.filter((line) => line.path === path || path.startsWith(`${line.path}.`) || path.startsWith(`${line.path}[`))
  const nearest = near.toSorted((a, b) => b.path.length - a.path.length)[0]
  if (nearest !== undefined) return nearest
  return lines.filter((line) => line.path.startsWith(`${path}.`)).toSorted((a, b) => b.revision - a.revision)[0]
}
