import { USES } from './uses.ts'
import { AUDIT_LOG_ENDPOINTS } from '#contract/audit'
import { area } from '../area.ts'
import { registerAuditRoutes } from './audit-routes.ts'

export const audit = area({
  name: 'audit',
  summary: 'Replay, difference, blame and proof of any campaign, from the log itself',
  endpoints: AUDIT_LOG_ENDPOINTS,
  uses: USES,
  register: registerAuditRoutes,
})
