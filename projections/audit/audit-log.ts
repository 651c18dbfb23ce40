import { sql, type Kysely } from 'kysely'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import type { Memory } from '../projector/read-model.ts'
import { isListed, listed, neededBy, type LogRow, type Subject } from './rows.ts'

/** One row for each event of every subject, in the order of the log, and what is known of each subject. */
export const AUDIT_LOG = 'audit_log'
export const AUDIT_SUBJECTS = 'audit_subjects'
export const AUDIT_DAYS = 'audit_days'

/** Physical tables of a generation. */
export type AuditTables = { readonly log: string; readonly subjects: string; readonly days: string }

/** Subjects in the cache of a worker: some megabytes. */
const REMEMBERED = 20_000
/** Rows per statement. */
const CHUNK = 500

export async function createAuditTables(db: Kysely<Db>, { log, subjects, days }: AuditTables): Promise<void> {
  // Narrow: an account's books alone have a row a minute. What an event says is read from the log.
  await sql`
    create table ${sql.table(log)} (
      position bigint not null,
      version integer not null,
      revision integer not null,
      -- Null where no event of the subject said where it belongs.
      whitelabel_id text collate "C",
      -- The account; null for the white-label itself.
      space_id text collate "C",
      kind text collate "C" not null,
      subject_id text collate "C" not null,
      type text collate "C" not null,
      actor text collate "C" not null,
      role text collate "C" not null,
      on_behalf_of text collate "C",
      source text collate "C" not null,
      -- Business time.
      at text collate "C" not null,
      -- Paths of the changed fields, without ids of elements.
      fields text[] collate "C",
      -- Values before, where the event holds only the new ones.
      was jsonb
    )`.execute(db)
  await sql`
    create table ${sql.table(subjects)} (
      stream text collate "C" primary key,
      whitelabel_id text collate "C",
      space_id text collate "C",
      -- Values by path that its events set, where later ones do not hold what they replace.
      set_values jsonb,
      -- Of the newest event in this row.
      version integer not null
    )`.execute(db)
  // Business time mostly grows with the position, but need not: each day's positions bound the reads of a period.
  await sql`
    create table ${sql.table(days)} (
      day text collate "C" primary key,
      first_position bigint not null,
      last_position bigint not null
    )`.execute(db)
}

export async function indexAuditTables(db: Kysely<Db>, { log }: AuditTables): Promise<void> {
  await sql`alter table ${sql.table(log)} add primary key (position)`.execute(db)
  await sql`create index on ${sql.table(log)} (whitelabel_id, position)`.execute(db)
  await sql`create index on ${sql.table(log)} (whitelabel_id, type, position)`.execute(db)
  await sql`create index on ${sql.table(log)} (space_id, position)`.execute(db)
  await sql`create index on ${sql.table(log)} (subject_id, position) where kind <> 'ledger'`.execute(db)
  await sql`create index on ${sql.table(log)} (actor, position) where actor not like 'system:%'`.execute(db)
}

export async function applyAuditLog(
  db: Kysely<Db>,
  tables: AuditTables,
  events: readonly StoredEvent[],
  memory: Memory,
): Promise<void> {
  const ours = events.filter(isListed)
  const subjects = await subjectsBefore(db, tables.subjects, ours, memory)
  const changed = new Map<string, Subject>()
  const rows: LogRow[] = []
  for (const stored of ours) {
    const { row, subject } = listed(stored, (stream) => subjects.get(stream))
    rows.push(row)
    if (subject === null) continue
    subjects.set(stored.stream, subject)
    changed.set(stored.stream, subject)
  }
  await insertRows(db, tables.log, rows)
  await upsertSubjects(db, tables.subjects, changed)
  await upsertDays(db, tables.days, daysOf(rows))
  if (memory.size + subjects.size > REMEMBERED) memory.clear()
  if (subjects.size <= REMEMBERED) for (const [stream, subject] of subjects) memory.set(stream, subject)
}

async function subjectsBefore(
  db: Kysely<Db>,
  table: string,
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
    select stream, whitelabel_id, space_id, set_values, version from ${sql.table(table)}
    where stream = any(${[...missing]})`.execute(db)
  for (const { stream, ...subject } of rows) found.set(stream, subject)
  return found
}

async function insertRows(db: Kysely<Db>, table: string, rows: readonly LogRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += CHUNK) {
    const part = rows.slice(from, from + CHUNK).map((row) => ({ ...row, position: String(row.position) }))
    await sql`
      insert into ${sql.table(table)}
      select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(part)}::json)
      on conflict do nothing`.execute(db)
  }
}

export async function upsertSubjects(db: Kysely<Db>, table: string, subjects: ReadonlyMap<string, Subject>): Promise<void> {
  if (subjects.size === 0) return
  const rows = [...subjects].map(([stream, subject]) => ({ stream, ...subject }))
  await sql`
    insert into ${sql.table(table)} as s
    select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
    on conflict (stream) do update
      set whitelabel_id = excluded.whitelabel_id, space_id = excluded.space_id, set_values = excluded.set_values,
        version = excluded.version
      where s.version < excluded.version`.execute(db)
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

export async function upsertDays(db: Kysely<Db>, table: string, days: ReadonlyMap<string, Day>): Promise<void> {
  for (const [day, { first, last }] of days)
    await sql`
      insert into ${sql.table(table)} as d values (${day}, ${first}, ${last})
      on conflict (day) do update
        set first_position = least(d.first_position, excluded.first_position),
          last_position = greatest(d.last_position, excluded.last_position)`.execute(db)
}
