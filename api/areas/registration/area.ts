import { REGISTRATION_ENDPOINTS } from '#contract/registration'
import { createRegistrationStore } from '#platform/registration/registration-store'
import type { Area } from '../area.ts'
import { registrationSweeps } from './policies.ts'
import { registerPasswordRoutes } from './password-routes.ts'
import { registerRegistrationRoutes } from './registration-routes.ts'

export const registration: Area = {
  name: 'registration',
  summary: 'Registration, its screening, and forgotten passwords',
  endpoints: REGISTRATION_ENDPOINTS,
  register(app, kit) {
    registerRegistrationRoutes(app, kit, createRegistrationStore(kit.db))
    registerPasswordRoutes(app, kit)
  },
  policies: async (kit) => registrationSweeps(kit, createRegistrationStore(kit.db)),
}
