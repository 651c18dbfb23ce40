import { hostname as machine } from 'node:os'
import { mailEndingKeys } from '#commands/identity/ending-keys'
import { createSecurityForwarder } from '#commands/identity/forward-security-events'
import { credentialEnding } from '#commands/identity/mails/credential-ending'
import { createPersonalData } from '#commands/identity/personal-data'
import { createEndingCredentials } from '#platform/identity/ending-keys'
import { createPersonKeys } from '#platform/identity/person-keys'
import { createSecurityForwarding } from '#platform/identity/security-forwarding'
import { createSecurityReceiver, destinationOf } from '#platform/identity/security-receiver'
import { removeOldSecurityEvents } from '#platform/identity/old-security-events'
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
  uses: ['credentials', 'dataKey', 'db', 'people', 'queueMail', 'security', 'whiteLabels'],
  tables: ['app.security_events', 'app.security_forwarding', 'identity.service_credentials'],
  register(app, kit) {
    registerSecurityRoutes(app, kit)
    registerCredentialRoutes(app, kit)
  },
  mails: { 'credential-ending': credentialEnding },
  policies: async (kit) => {
    const { config, dataKey, db, logger } = kit
    const ending = mailEndingKeys({ ...kit, keys: createEndingCredentials(db) })
    const { securityReceiver: receiver, publicOrigin } = config
    const forwarding = createSecurityForwarding(db, destinationOf(receiver))
    await forwarding.begin()
    if (receiver === null) return [ending]
    const hostname = publicOrigin === null ? machine() : new URL(publicOrigin).hostname
    const send = createSecurityReceiver({ receiver, hostname, logger })
    const { reveal } = createPersonalData(createPersonKeys({ db, dataKey }))
    return [ending, createSecurityForwarder({ ...forwarding, reveal, send })]
  },
  async housekeeping({ config, db }) {
    const days = config.kept.securityEventDays
    if (days !== null) await removeOldSecurityEvents(db, days, EVENTS_AT_ONCE)
  },
})
