import { removeRowsOf } from '#platform/identity/rows-of'
import { savedReport } from '#commands/reports/mails/saved-report'
import { ACCOUNT_REPORT_ENDPOINTS } from '#contract/account-reports'
import { REPORT_TABLE_ENDPOINTS } from '#contract/report-tables'
import { CAMPAIGN_REPORT_ENDPOINTS } from '#contract/reports'
import { SAVED_REPORT_ENDPOINTS } from '#contract/saved-reports'
import { area } from '../area.ts'
import { reportMailPolicy } from './report-mails.ts'
import { createSavedReports } from '#platform/reports/saved-reports'
import { registerReportRoutes } from './report-routes.ts'

export const reports = area({
  name: 'reports',
  summary: 'Figures of campaigns and accounts, on screen, as files and by mail',
  endpoints: [...ACCOUNT_REPORT_ENDPOINTS, ...REPORT_TABLE_ENDPOINTS, ...SAVED_REPORT_ENDPOINTS, ...CAMPAIGN_REPORT_ENDPOINTS],
  uses: ['accounts', 'campaigns', 'db', 'facts', 'limits', 'people', 'queueMail', 'reference', 'threads', 'whiteLabels'],
  tables: ['app.report_files', 'app.saved_reports'],
  erase: { within: removeRowsOf('app.saved_reports') },
  mails: {
    'saved-report': savedReport,
  },
  register: (app, kit) => registerReportRoutes(app, kit, createSavedReports(kit.db)),
  policies: async (kit) => [reportMailPolicy(kit, createSavedReports(kit.db))],
  housekeeping: ({ db }) => createSavedReports(db).purge(),
})
