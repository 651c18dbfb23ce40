import { recoveryCodeUsed, wrongCodes } from '#commands/identity/mails/second-factor'
import { newSignIn } from '#commands/identity/mails/new-sign-in'
import { passwordReset } from '#commands/identity/mails/password-reset'
import { SESSION_ENDPOINTS } from '#contract/session'
import { STEP_UP_ENDPOINTS } from '#contract/step-up'
import { createProfiles } from '#platform/identity/profiles'
import { area } from '#api/areas/area'
import { registerSessionRoutes } from './session-routes.ts'
import { createSignInLimits } from './sign-in-limits.ts'
import { registerStepUpRoutes } from './step-up-routes.ts'

export const sessions = area({
  name: 'sessions',
  summary: "Signing in and out, proofs of the user, the user's own record, and accounts",
  endpoints: [...SESSION_ENDPOINTS, ...STEP_UP_ENDPOINTS],
  uses: [
    'accounts',
    'db',
    'fingerprint',
    'limits',
    'passkeys',
    'people',
    'queueMail',
    'secondFactor',
    'security',
    'sessions',
    'whiteLabels',
  ],
  tables: [
    'app.erasures',
    'app.secrets',
    'app.signing_keys',
    'identity.challenges',
    'identity.known_devices',
    'identity.known_networks',
    'identity.people',
    'identity.person_keys',
    'identity.recovery_codes',
    'identity.second_factors',
    'identity.session_families',
    'identity.sessions',
  ],
  mails: {
    'password-reset': passwordReset,
    'new-sign-in': newSignIn,
    'recovery-code-used': recoveryCodeUsed,
    'wrong-codes': wrongCodes,
  },
  register(app, kit) {
    const limits = createSignInLimits(kit)
    registerSessionRoutes(app, kit, createProfiles(kit.db), limits)
    registerStepUpRoutes(app, kit, limits)
  },
})
