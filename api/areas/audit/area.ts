import { AUDIT_LOG_ENDPOINTS } from '../../contract/audit.ts'
import type { Area } from '../../kit/area.ts'
import { registerAuditRoutes } from './audit-routes.ts'

/** Replay, difference, blame and proof of any campaign, from the log itself. */
export const audit: Area = { name: 'audit', endpoints: AUDIT_LOG_ENDPOINTS, register: registerAuditRoutes }
