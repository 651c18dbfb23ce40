import { PROFILE_ENDPOINTS } from '../../contract/profile.ts'
import type { Area } from '../../kit/area.ts'
import { registerProfileRoutes } from './profile-routes.ts'

export const profile: Area = {
  name: 'profile',
  summary: "The signed-in user's own record, password, second factor, sessions and API keys",
  endpoints: PROFILE_ENDPOINTS,
  register: registerProfileRoutes,
}
