import { REPORT_ENDPOINTS } from '../../contract/reports.ts'
import type { Area } from '../../kit/area.ts'
import { registerReportRoutes } from './report-routes.ts'

export const reports: Area = {
  name: 'reports',
  summary: 'Figures of campaigns and accounts, on screen and as CSV',
  endpoints: REPORT_ENDPOINTS,
  register: registerReportRoutes,
}
