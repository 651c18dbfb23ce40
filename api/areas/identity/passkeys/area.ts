import { passkeyAdded, passkeyRemoved } from '#commands/identity/mails/second-factor'
import { PASSKEY_ENDPOINTS } from '#contract/passkeys'
import { area } from '#api/areas/area'
import { registerPasskeyRoutes } from './passkey-routes.ts'

export const passkeys = area({
  name: 'passkeys',
  summary: "The signed-in user's passkeys",
  endpoints: PASSKEY_ENDPOINTS,
  uses: ['db', 'limits', 'passkeys', 'people', 'queueMail', 'secondFactor', 'security'],
  tables: ['identity.answered_challenges', 'identity.passkeys'],
  mails: { 'passkey-added': passkeyAdded, 'passkey-removed': passkeyRemoved },
  register: registerPasskeyRoutes,
})
