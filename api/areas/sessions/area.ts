import { SESSION_ENDPOINTS } from '../../contract/session.ts'
import type { Area } from '../../kit/area.ts'
import { registerSessionRoutes } from './session-routes.ts'

export const sessions: Area = {
  name: 'sessions',
  summary: "Signing in and out, the user's own record, and accounts",
  endpoints: SESSION_ENDPOINTS,
  register: registerSessionRoutes,
}
