import { sql, type Kysely } from 'kysely'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import type { Memory } from '../projector/read-model.ts'
import { addRows, upsertRows } from '../projector/table.ts'
import { isListed, listed, neededBy } from './rows.ts'
import type { AuditTables, LogRow, Subject } from './tables.ts'

/** Subjects in the cache of a worker: some megabytes. */
const REMEMBERED = 20_000
export async function applyAuditLog(
  db: Kysely<Db>,
  tables: AuditTables,
  events: readonly StoredEvent[],
  memory: Memory,
): Promise<void> {
  const ours = events.filter(isListed)
  const subjects = await subjectsBefore(db, tables.audit_subjects, ours, memory)
  const changed = new Map<string, Subject>()
  const rows: LogRow[] = []
  for (const stored of ours) {
    const { row, subject } = listed(stored, (stream) => subjects.get(stream))
    rows.push(row)
    if (subject === null) continue
    subjects.set(stored.stream, subject)
    changed.set(stored.stream, subject)
  }
  await addRows(db, tables.audit_log, rows)
  await upsertRows(
    db,
    tables.audit_subjects,
    [...changed].map(([stream, subject]) => ({ stream, ...subject })),
  )
  await upsertDays(db, tables.audit_days, daysOf(rows))
  if (memory.size + subjects.size > REMEMBERED) memory.clear()
  if (subjects.size <= REMEMBERED) for (const [stream, subject] of subjects) memory.set(stream, subject)
}

async function subjectsBefore(
  db: Kysely<Db>,
  known: AuditTables['audit_subjects'],
  events: readonly StoredEvent[],
  memory: Memory,
): Promise<Map<string, Subject>> {
  const found = new Map<string, Subject>()
  const missing = new Set<string>()
  for (const stream of new Set(events.map(neededBy))) {
    const remembered = memory.get(stream) as Subject | undefined
    if (remembered === undefined) missing.add(stream)
    else found.set(stream, remembered)
  }
  if (missing.size === 0) return found
  const { rows } = await sql<Subject & { readonly stream: string }>`
    select stream, whitelabel_id, space_id, set_values, version from ${known}
    where stream = any(${[...missing]})`.execute(db)
  for (const { stream, ...subject } of rows) found.set(stream, subject)
  return found
}

export type Day = { readonly first: bigint; readonly last: bigint }

/** The positions of each UTC day of business time, in rows in the order of the log. */
export function daysOf(rows: readonly LogRow[], days: Map<string, Day> = new Map()): Map<string, Day> {
  for (const { at, position } of rows) {
    const day = at.slice(0, 10)
    days.set(day, { first: days.get(day)?.first ?? position, last: position })
  }
  return days
}

async function upsertDays(db: Kysely<Db>, known: AuditTables['audit_days'], days: ReadonlyMap<string, Day>): Promise<void> {
  for (const [day, { first, last }] of days)
    await sql`
      insert into ${known} as d values (${day}, ${first}, ${last})
      on conflict (day) do update
        set first_position = least(d.first_position, excluded.first_position),
          last_position = greatest(d.last_position, excluded.last_position)`.execute(db)
}
