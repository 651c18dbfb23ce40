import { languageOf, type Language } from '#domain/kit/languages'
import type { SavedReports } from '#platform/reports/saved-reports'
import type { FastifyInstance } from 'fastify'
import type { Served } from '#api/areas/services'
import { createAccountReports } from './account-reports.ts'
import { createReportCalls } from './report-calls.ts'
import * as accountReports from '#contract/account-reports'
import { reportTable, reportTableFile } from '#contract/report-tables'
import * as campaignReports from '#contract/reports'
import * as savedReports from '#contract/saved-reports'
import { sendCsv } from '#api/http/csv'
import { callerOf } from '#api/http/person'
import { register } from '#api/http/register'
import type { Caller } from '#api/http/caller'
import { createReportTables } from './report-tables.ts'
import { coveredBy } from './report-scope.ts'
import { createSavedReportCalls } from './saved-reports.ts'
import { fileOf } from './table-file.ts'

/** Files are made in memory. */
const FILES = { limit: 20, seconds: 60 }

/** Figures of campaigns, on screen and as files. */
export function registerReportRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'db' | 'facts' | 'limits' | 'people' | 'reference' | 'threads' | 'whiteLabels'>,
  stored: SavedReports,
): void {
  const { guards, limits, people } = kit
  const reports = createReportCalls(kit)
  const tables = createReportTables(kit)
  const languageFor = async ({ actor }: Caller, asked: 1 | 2 | null | undefined): Promise<Language> =>
    languageOf(asked ?? (await people.find(actor.userId))?.language_key)
  const account = createAccountReports(kit, (caller) => languageFor(caller, null))
  register(app, guards, reportTable, async (call) => {
    const caller = callerOf(call)
    return tables.page(await coveredBy(kit, caller, call.body), call.body, await languageFor(caller, call.body.language_key))
  })
  register(app, guards, reportTableFile, async (call, reply) => {
    const caller = callerOf(call)
    const language = await languageFor(caller, call.body.language_key)
    const covered = await coveredBy(kit, caller, call.body)
    await limits.reserve([{ key: `report file ${caller.actor.userId}`, ...FILES }])
    const file = await fileOf(await tables.tableOf(covered, call.body, language), { ...kit, format: call.body.format, language })
    return reply
      .type(file.contentType)
      .headers({ 'Content-Disposition': `attachment; filename="${file.name}"`, 'X-Content-Type-Options': 'nosniff' })
      .send(file.content)
  })
  const saved = createSavedReportCalls(kit, stored)
  register(app, guards, savedReports.savedReports, async (call) => saved.list(callerOf(call)))
  register(app, guards, savedReports.addSavedReport, async (call) => saved.add(callerOf(call), call.body))
  register(app, guards, savedReports.changeSavedReport, async (call) => saved.change(callerOf(call), call.params.id, call.body))
  register(app, guards, savedReports.removeSavedReport, async (call) => saved.remove(callerOf(call), call.params.id))
  register(app, guards, campaignReports.overDelivery, async (call) => reports.overDelivery(callerOf(call), call.params.id))
  register(app, guards, accountReports.reportsChanges, async (call) => account.changes(callerOf(call), call.body))
  register(app, guards, accountReports.reportsTotal, async (call) => account.total(callerOf(call), call.body))
  register(app, guards, accountReports.reportsDashboard, async (call) => account.dashboard(callerOf(call), call.body))
  register(app, guards, accountReports.reportsPlatforms, async (call) => account.platforms(callerOf(call), call.body))
  register(app, guards, accountReports.reportsPublishers, async (call) => account.publishers(callerOf(call), call.body))
  register(app, guards, accountReports.reportsBanners, async (call) => account.banners(callerOf(call), call.body))
  register(app, guards, accountReports.reportsDimension, async (call) => account.dimension(callerOf(call), call.body))
  register(app, guards, campaignReports.campaignTotal, async (call) => reports.total(callerOf(call), call.params.id))
  register(app, guards, campaignReports.campaignReport, async (call) => reports.report(callerOf(call), call.body))
  register(app, guards, campaignReports.campaignReportList, async (call) => [
    ...(await reports.list(callerOf(call), call.params.id)),
  ])
  register(app, guards, campaignReports.adminReport, async (call) =>
    reports.adminReport(callerOf(call), call.params.id, call.body),
  )
  register(app, guards, campaignReports.accountReport, async (call, reply) =>
    sendCsv(reply, 'campaigns.csv', await reports.accountCsv(callerOf(call), call.body)),
  )
  register(app, guards, campaignReports.campaignReportCsv, async (call, reply) =>
    sendCsv(reply, 'campaign-report.csv', await reports.reportCsv(callerOf(call), call.body)),
  )
  register(app, guards, campaignReports.trafficSourceCsv, async (call, reply) =>
    sendCsv(reply, 'traffic-source.csv', await reports.trafficSourceCsv(callerOf(call), call.body)),
  )
}
