import { LIVE_ENDPOINTS } from '#contract/live'
import type { Area } from '../area.ts'
import { registerLiveRoutes } from './live-routes.ts'

export const live: Area = {
  name: 'live',
  summary: 'Change notifications to open pages',
  endpoints: LIVE_ENDPOINTS,
  register: registerLiveRoutes,
}
