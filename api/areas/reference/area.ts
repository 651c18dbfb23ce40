import { ESTIMATE_ENDPOINTS } from '#contract/estimates'
import { REFERENCE_ENDPOINTS } from '#contract/reference'
import { createResourceRequests } from '#platform/reference/resource-requests'
import { area } from '../area.ts'
import { registerReferenceRoutes } from './reference-routes.ts'

export const reference = area({
  name: 'reference',
  summary: 'Places, dictionaries and apps, and the estimates made from them',
  endpoints: [...REFERENCE_ENDPOINTS, ...ESTIMATE_ENDPOINTS],
  uses: ['accounts', 'campaigns', 'commands.campaigns', 'db', 'limits', 'reference'],
  tables: ['app.resource_requests'],
  register: (app, kit) => registerReferenceRoutes(app, kit, createResourceRequests(kit.db, kit.newId, kit.now)),
})
