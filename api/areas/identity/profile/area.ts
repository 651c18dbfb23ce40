import { secondFactorOn, secondFactorOff, secondFactorReset, recoveryCodesRenewed } from '#commands/identity/mails/second-factor'
import { apiKeyCreated } from '#commands/identity/mails/api-key-created'
import { passwordChanged } from '#commands/identity/mails/password-changed'
import { USES } from './uses.ts'
import { PROFILE_ENDPOINTS } from '#contract/profile'
import { createProfiles } from '#platform/identity/profiles'
import { area } from '#api/areas/area'
import { registerProfileRoutes } from './profile-routes.ts'

export const profile = area({
  name: 'profile',
  summary: "The signed-in user's own record, password, second factor, sessions and API keys",
  endpoints: PROFILE_ENDPOINTS,
  uses: USES,
  tables: ['identity.api_keys', 'identity.pictures'],
  mails: {
    'password-changed': passwordChanged,
    'api-key-created': apiKeyCreated,
    'second-factor-on': secondFactorOn,
    'second-factor-off': secondFactorOff,
    'second-factor-reset': secondFactorReset,
    'recovery-codes-renewed': recoveryCodesRenewed,
  },
  register: (app, kit) => registerProfileRoutes(app, kit, createProfiles(kit.db)),
})
