import { LIVE_ENDPOINTS } from '../../contract/live.ts'
import type { Area } from '../../kit/area.ts'
import { registerLiveRoutes } from './live-routes.ts'

export const live: Area = {
  name: 'live',
  summary: 'Change notifications to open pages',
  endpoints: LIVE_ENDPOINTS,
  register: registerLiveRoutes,
}
