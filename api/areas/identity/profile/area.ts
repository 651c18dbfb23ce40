import { secondFactorOn, secondFactorOff, secondFactorReset, recoveryCodesRenewed } from '#commands/identity/mails/second-factor'
import { passwordChanged } from '#commands/identity/mails/password-changed'
import { PROFILE_ENDPOINTS } from '#contract/profile'
import { createProfiles } from '#platform/identity/profiles'
import { area } from '#api/areas/area'
import { registerProfileRoutes } from './profile-routes.ts'

export const profile = area({
  name: 'profile',
  summary: "The signed-in user's own record, password, second factor and sessions",
  endpoints: PROFILE_ENDPOINTS,
  uses: ['db', 'limits', 'media', 'people', 'personal', 'queueMail', 'secondFactor', 'security', 'sessions', 'whiteLabels'],
  tables: ['identity.pictures'],
  mails: {
    'password-changed': passwordChanged,
    'second-factor-on': secondFactorOn,
    'second-factor-off': secondFactorOff,
    'second-factor-reset': secondFactorReset,
    'recovery-codes-renewed': recoveryCodesRenewed,
  },
  register: (app, kit) => registerProfileRoutes(app, kit, createProfiles(kit.db)),
})
