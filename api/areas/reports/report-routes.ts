import type { FastifyInstance } from 'fastify'
import type { CampaignKit } from '../../kit/campaigns/readable-campaign.ts'
import { createAccountReports } from './account-reports.ts'
import { createReportCalls } from './report-calls.ts'
import * as contract from '../../contract/reports.ts'
import { sendCsv } from '../../kit/csv.ts'
import { callerOf } from '../../kit/person.ts'
import { register } from '../../kit/register.ts'

/** Figures of campaigns, on screen and as files. */
export function registerReportRoutes(app: FastifyInstance, kit: CampaignKit): void {
  const { guards } = kit
  const reports = createReportCalls(kit)
  const account = createAccountReports(kit)
  register(app, guards, contract.reportsChanges, async (call) => account.changes(callerOf(call), call.body))
  register(app, guards, contract.reportsTotal, async (call) => account.total(callerOf(call), call.body))
  register(app, guards, contract.reportsDashboard, async (call) => account.dashboard(callerOf(call), call.body))
  register(app, guards, contract.reportsPlatforms, async (call) => account.platforms(callerOf(call), call.body))
  register(app, guards, contract.reportsPublishers, async (call) => account.publishers(callerOf(call), call.body))
  register(app, guards, contract.reportsBanners, async (call) => account.banners(callerOf(call), call.body))
  register(app, guards, contract.reportsDimension, async (call) => account.dimension(callerOf(call), call.body))
  register(app, guards, contract.campaignTotal, async (call) => reports.total(callerOf(call), call.params.id))
  register(app, guards, contract.campaignReport, async (call) => reports.report(callerOf(call), call.body))
  register(app, guards, contract.campaignReportList, async (call) => [...(await reports.list(callerOf(call), call.params.id))])
  register(app, guards, contract.adminReport, async (call) => reports.adminReport(callerOf(call), call.params.id, call.body))
  register(app, guards, contract.accountReport, async (call, reply) =>
    sendCsv(reply, 'campaigns.csv', await reports.accountCsv(callerOf(call), call.body)),
  )
  register(app, guards, contract.campaignReportCsv, async (call, reply) =>
    sendCsv(reply, 'campaign-report.csv', await reports.reportCsv(callerOf(call), call.body)),
  )
  register(app, guards, contract.trafficSourceCsv, async (call, reply) =>
    sendCsv(reply, 'traffic-source.csv', await reports.trafficSourceCsv(callerOf(call), call.body)),
  )
}
