import { languageOf } from '#domain/kit/languages'
import { actorNow } from '#commands/identity/actor-now'
import { buffer } from 'node:stream/consumers'
import { due, type Sweep } from '#commands/sweep'
import { dayIn } from '#domain/kit/time-zone'
import { nextDue } from '#domain/reports/schedule'
import type { Own } from '#api/areas/services'
import { Refused } from '#commands/refused'
import { coveredBy, zoneFor } from './report-scope.ts'
import { createReportTables } from './report-tables.ts'
import { dayZone, tableInput } from './saved-reports.ts'
import type { SavedReports, SavedRow } from '#platform/reports/saved-reports'
import { fileOf } from './table-file.ts'

/** Larger files are not attached: the mail has its link. Bytes. */
const MOST_ATTACHED = 1024 ** 2

/** Mails saved reports when they are due: once each, however many processes run. A time that was missed is made up for once. */
export function reportMailPolicy(
  kit: Own<'accounts' | 'db' | 'facts' | 'people' | 'queueMail' | 'reference' | 'threads' | 'whiteLabels'>,
  saved: SavedReports,
): Sweep {
  const tables = createReportTables(kit)

  /** The report as its owner may see it now; null where they no longer may. */
  async function fileFor(row: SavedRow) {
    const found = await actorNow(kit, row.person_id, row.space_id)
    if (found === null) return null
    const { person, actor } = found
    const caller = {
      actor,
      commandId: row.id,
      bodyHash: null,
      correlation: row.id,
      source: 'api' as const,
    }
    const covered = await coveredBy(kit, caller, row.report)
    const language = languageOf(person.language_key)
    const today = dayIn(kit.now(), dayZone(row.report, zoneFor(kit, covered, 'account')))
    const input = tableInput(row.report, today)
    const file = await fileOf(await tables.tableOf(covered, input, language), { ...kit, format: row.format, language })
    return { ...file, content: await buffer(file.content), from: String(input.from_date), to: String(input.to_date) }
  }

  async function mail(row: SavedRow): Promise<void> {
    const zone = zoneFor(kit, { whitelabelId: row.whitelabel_id }, 'account')
    const next = nextDue({ kind: row.schedule, day: row.schedule_day }, kit.now(), zone)
    const file = await fileFor(row).catch((error: unknown) => {
      // The subject of the report is gone, or no longer the user's to see.
      if (error instanceof Refused) return null
      throw error
    })
    const id = kit.derivedId('report-mail', row.id, row.next_at?.toISOString() ?? '')
    await saved.advance(row, next, async (tx) => {
      if (file === null) return
      const isAttached = file.content.length <= MOST_ATTACHED
      if (isAttached)
        await saved.keepFile(tx, { mailId: id, filename: file.name, contentType: file.contentType, content: file.content })
      await kit.queueMail(tx, {
        id,
        whitelabelId: row.whitelabel_id,
        to: { personId: row.person_id },
        template: 'saved-report',
        data: { report: row.id, name: row.name, from: file.from, to: file.to, attached: isAttached ? 'yes' : 'no' },
      })
    })
  }

  return { name: 'report-mails', scan: async (except) => due(await saved.due(kit.now(), except), ({ id }) => id, mail) }
}
