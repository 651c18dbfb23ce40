import { removeOldSecurityEvents } from '#platform/identity/old-security-events'
import { USES } from './uses.ts'
import { SECURITY_ENDPOINTS } from '#contract/security'
import { CREDENTIAL_ENDPOINTS } from '#contract/service-credential'
import { area } from '#api/areas/area'
import { registerCredentialRoutes } from './credential-routes.ts'
import { registerSecurityRoutes } from './security-routes.ts'

/** Events that one round of housekeeping removes. */
const EVENTS_AT_ONCE = 50_000

export const security = area({
  name: 'security',
  summary: 'Security events, and credentials of exchanges and bidders',
  endpoints: [...CREDENTIAL_ENDPOINTS, ...SECURITY_ENDPOINTS],
  uses: USES,
  tables: ['app.security_events', 'identity.service_credentials'],
  register(app, kit) {
    registerSecurityRoutes(app, kit)
    registerCredentialRoutes(app, kit)
  },
  async housekeeping({ config, db }) {
    const days = config.kept.securityEventDays
    if (days !== null) await removeOldSecurityEvents(db, days, EVENTS_AT_ONCE)
  },
})
