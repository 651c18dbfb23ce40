import { copyRows, createCopyText, type CopiedAs } from '#eventstore/postgres/copy-rows'
import type { Loader } from '../projector/read-model.ts'
import { daysOf, type AuditTables, type Day } from './audit-log.ts'
import { isListed, listed, type LogRow, type Subject } from './rows.ts'

const LOG_COLUMNS: Readonly<Record<keyof LogRow, CopiedAs>> = {
  position: 'value',
  version: 'value',
  revision: 'value',
  whitelabel_id: 'value',
  space_id: 'value',
  kind: 'value',
  subject_id: 'value',
  type: 'value',
  actor: 'value',
  role: 'value',
  on_behalf_of: 'value',
  source: 'value',
  at: 'value',
  fields: 'texts',
  was: 'json',
}

const SUBJECT_COLUMNS = {
  stream: 'value',
  whitelabel_id: 'value',
  space_id: 'value',
  set_values: 'json',
  version: 'value',
} as const satisfies Record<keyof Subject | 'stream', CopiedAs>

const DAY_COLUMNS = { day: 'value', first_position: 'value', last_position: 'value' } as const

/** Loads the rows of `applyAuditLog`, which are written as they come. Subjects stay in memory until the end, a hundred bytes each. */
export function loadAuditLog(tables: AuditTables): Loader {
  const subjects = new Map<string, Subject>()
  const days = new Map<string, Day>()
  let log = createCopyText(LOG_COLUMNS)
  const known = (stream: string): Subject | undefined => subjects.get(stream)
  return {
    add(events) {
      for (const stored of events) {
        if (!isListed(stored)) continue
        const { row, subject } = listed(stored, known)
        log.add(row)
        daysOf([row], days)
        if (subject !== null) subjects.set(stored.stream, subject)
      }
      return Promise.resolve()
    },
    take(all) {
      const rows = log.end()
      log = createCopyText(LOG_COLUMNS)
      const known = createCopyText(SUBJECT_COLUMNS)
      const dated = createCopyText(DAY_COLUMNS)
      if (all) {
        for (const [stream, subject] of subjects) known.add({ stream, ...subject })
        for (const [day, { first, last }] of days) dated.add({ day, first_position: first, last_position: last })
      }
      return async (db) => {
        await copyRows(db, tables.log, rows)
        await copyRows(db, tables.subjects, known.end())
        await copyRows(db, tables.days, dated.end())
      }
    },
  }
}
