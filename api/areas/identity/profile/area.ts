import { PROFILE_ENDPOINTS } from '#contract/profile'
import { createProfiles } from '#platform/identity/profiles'
import type { Area } from '#api/areas/area'
import { registerProfileRoutes } from './profile-routes.ts'

export const profile: Area = {
  name: 'profile',
  summary: "The signed-in user's own record, password, second factor, sessions and API keys",
  endpoints: PROFILE_ENDPOINTS,
  register: (app, kit) => registerProfileRoutes(app, kit, createProfiles(kit.db)),
}
