import { LIVE_ENDPOINTS } from '../../contract/live.ts'
import type { Area } from '../../kit/area.ts'
import { registerLiveRoutes } from './live-routes.ts'

/** Change notifications to open pages. */
export const live: Area = { name: 'live', endpoints: LIVE_ENDPOINTS, register: registerLiveRoutes }
