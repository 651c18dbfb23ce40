import { SESSION_ENDPOINTS } from '#contract/session'
import { createProfiles } from '#platform/identity/profiles'
import type { Area } from '#api/areas/area'
import { registerSessionRoutes } from './session-routes.ts'

export const sessions: Area = {
  name: 'sessions',
  summary: "Signing in and out, the user's own record, and accounts",
  endpoints: SESSION_ENDPOINTS,
  register: (app, kit) => registerSessionRoutes(app, kit, createProfiles(kit.db)),
}
