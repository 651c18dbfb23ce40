import { REPORT_ENDPOINTS } from '#contract/reports'
import type { Area } from '../area.ts'
import { reportMailPolicy } from './report-mails.ts'
import { createSavedReports } from './saved-store.ts'
import { registerReportRoutes } from './report-routes.ts'

export const reports: Area = {
  name: 'reports',
  summary: 'Figures of campaigns and accounts, on screen, as files and by mail',
  endpoints: REPORT_ENDPOINTS,
  register: registerReportRoutes,
  policies: async (kit) => [reportMailPolicy(kit)],
  housekeeping: ({ db }) => createSavedReports(db).purge(),
}
