import { tableOf, type ReadModel, type Tables } from '../projector/read-model.ts'
import {
  applyAuditLog,
  AUDIT_DAYS,
  AUDIT_LOG,
  AUDIT_SUBJECTS,
  createAuditTables,
  indexAuditTables,
  type AuditTables,
} from './audit-log.ts'
import { loadAuditLog } from './load.ts'
import { isListed } from './rows.ts'

const auditTables = (tables: Tables): AuditTables => ({
  log: tableOf(tables, AUDIT_LOG),
  subjects: tableOf(tables, AUDIT_SUBJECTS),
  days: tableOf(tables, AUDIT_DAYS),
})

/** Stops at an event that cannot be applied, and parks no stream: a feed with a gap would mislead. */
export const auditLog: ReadModel = {
  name: 'audit-log',
  version: 1,
  tables: [AUDIT_LOG, AUDIT_SUBJECTS, AUDIT_DAYS],
  concerns: isListed,
  create: (db, tables) => createAuditTables(db, auditTables(tables)),
  index: (db, tables) => indexAuditTables(db, auditTables(tables)),
  onFailure: 'stop',
  apply: (db, tables, events, memory) => applyAuditLog(db, auditTables(tables), events, memory),
  load: (tables) => loadAuditLog(auditTables(tables)),
}
