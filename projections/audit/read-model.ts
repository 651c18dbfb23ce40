import { readModel } from '../projector/read-model.ts'
import { applyAuditLog } from './audit-log.ts'
import { loadAuditLog } from './load.ts'
import { isListed } from './rows.ts'
import { AUDIT_LOG } from './tables.ts'

/** Stops at an event that cannot be applied, and parks no stream: a feed with a gap would mislead. */
export const auditLog = readModel({
  name: 'audit-log',
  version: 1,
  tables: AUDIT_LOG,
  concerns: isListed,
  onFailure: 'stop',
  apply: applyAuditLog,
  load: loadAuditLog,
})
