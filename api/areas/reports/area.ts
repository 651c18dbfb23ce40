import { REPORT_ENDPOINTS } from '#contract/reports'
import type { Area } from '../area.ts'
import { reportMailPolicy } from './report-mails.ts'
import { createSavedReports } from '#platform/reports/saved-reports'
import { registerReportRoutes } from './report-routes.ts'

export const reports: Area = {
  name: 'reports',
  summary: 'Figures of campaigns and accounts, on screen, as files and by mail',
  endpoints: REPORT_ENDPOINTS,
  register: (app, kit) => registerReportRoutes(app, kit, createSavedReports(kit.db)),
  policies: async (kit) => [reportMailPolicy(kit, createSavedReports(kit.db))],
  housekeeping: ({ db }) => createSavedReports(db).purge(),
}
