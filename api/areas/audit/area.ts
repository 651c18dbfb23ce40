import { AUDIT_LOG_ENDPOINTS } from '#contract/audit'
import type { Area } from '../area.ts'
import { registerAuditRoutes } from './audit-routes.ts'

export const audit: Area = {
  name: 'audit',
  summary: 'Replay, difference, blame and proof of any campaign, from the log itself',
  endpoints: AUDIT_LOG_ENDPOINTS,
  register: registerAuditRoutes,
}
