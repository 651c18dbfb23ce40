import { WHITE_LABEL_ENDPOINTS } from '../../contract/white-label.ts'
import type { Area } from '../../kit/area.ts'
import { registerWhiteLabelRoutes } from './white-label-routes.ts'

export const whiteLabel: Area = {
  name: 'white-label',
  summary: "The white-label of the host, and the settings of the caller's own one",
  endpoints: WHITE_LABEL_ENDPOINTS,
  register: registerWhiteLabelRoutes,
}
