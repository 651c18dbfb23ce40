import { copyRows } from '#eventstore/postgres/copy-rows'
import type { Loader } from '../projector/read-model.ts'
import { copyOf } from '../projector/table.ts'
import { daysOf, type Day } from './audit-log.ts'
import { isListed, listed } from './rows.ts'
import type { AuditTables, Subject } from './tables.ts'

/** Loads the rows of `applyAuditLog`, which are written as they come. Subjects stay in memory until the end, a hundred bytes each. */
export function loadAuditLog({ audit_log, audit_subjects, audit_days }: AuditTables): Loader {
  const subjects = new Map<string, Subject>()
  const days = new Map<string, Day>()
  let log = copyOf(audit_log)
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
      log = copyOf(audit_log)
      const known = copyOf(audit_subjects)
      const dated = copyOf(audit_days)
      if (all) {
        for (const [stream, subject] of subjects) known.add({ stream, ...subject })
        for (const [day, { first, last }] of days) dated.add({ day, first_position: first, last_position: last })
      }
      return async (db) => {
        await copyRows(db, audit_log.name, rows)
        await copyRows(db, audit_subjects.name, known.end())
        await copyRows(db, audit_days.name, dated.end())
      }
    },
  }
}
