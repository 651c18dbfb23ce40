import { USES } from './uses.ts'
import { SECURITY_ENDPOINTS } from '#contract/security'
import { CREDENTIAL_ENDPOINTS } from '#contract/service-credential'
import { area } from '#api/areas/area'
import { registerCredentialRoutes } from './credential-routes.ts'
import { registerSecurityRoutes } from './security-routes.ts'

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
})
