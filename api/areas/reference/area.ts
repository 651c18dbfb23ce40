import { ESTIMATE_ENDPOINTS } from '../../contract/estimates.ts'
import { REFERENCE_ENDPOINTS } from '../../contract/reference.ts'
import type { Area } from '../../kit/area.ts'
import { registerReferenceRoutes } from './reference-routes.ts'

/** Places, dictionaries and apps, and the estimates made from them. */
export const reference: Area = {
  name: 'reference',
  endpoints: [...REFERENCE_ENDPOINTS, ...ESTIMATE_ENDPOINTS],
  register: registerReferenceRoutes,
}
