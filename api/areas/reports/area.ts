import { REPORT_ENDPOINTS } from '../../contract/reports.ts'
import type { Area } from '../../kit/area.ts'
import { registerReportRoutes } from './report-routes.ts'

/** Figures of campaigns and accounts, on screen and as CSV. */
export const reports: Area = { name: 'reports', endpoints: REPORT_ENDPOINTS, register: registerReportRoutes }
