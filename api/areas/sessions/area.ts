import { SESSION_ENDPOINTS } from '../../contract/session.ts'
import type { Area } from '../../kit/area.ts'
import { registerSessionRoutes } from './session-routes.ts'

/** Signing in and out, the user's own record, and accounts. */
export const sessions: Area = { name: 'sessions', endpoints: SESSION_ENDPOINTS, register: registerSessionRoutes }
