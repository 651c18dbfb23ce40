import type { Served } from '#api/areas/services'
import { actorNamer, isOf } from '#commands/identity/person'
import { isStaff, may } from '#domain/kit/access'
import { dayIn, type Zone } from '#domain/kit/time-zone'
import { daysOfRange, isSchedule, nextDue, type Schedule } from '#domain/reports/schedule'
import type { ReportTableInput } from '#contract/report-tables'
import type { SavedReport, SavedReportBody, SavedReportInput } from '#contract/saved-reports'
import type { Caller } from '#api/http/caller'
import { refused } from '#commands/refused'
import { coveredBy, zoneFor } from './report-scope.ts'
import { createReportTables } from './report-tables.ts'
import type { SavedFields, SavedReports, SavedRow } from '#platform/reports/saved-reports'

/** The table that a saved report shows on a day. */
export function tableInput(
  { range, start_date: start, end_date: end, ...report }: SavedReportInput,
  today: string,
): ReportTableInput {
  const days = range === null || range === undefined ? { start: start ?? today, end: end ?? today } : daysOfRange(range, today)
  return { ...report, from_date: days.start, to_date: days.end }
}

/** The calls of saved reports. */
export function createSavedReportCalls(
  kit: Served<'accounts' | 'db' | 'facts' | 'people' | 'reference' | 'whiteLabels'>,
  saved: SavedReports,
) {
  const tables = createReportTables(kit)
  const ownerOf = ({ actor }: Caller) => ({ personId: actor.userId, spaceId: actor.spaceId })

  /** The caller's own, and those of the account's people for who manages them: their mails go on until one of them ends them. */
  async function seenBy({ actor }: Caller): Promise<SavedReport[]> {
    const { userId, spaceId } = actor
    const account = await kit.accounts.find(spaceId)
    const manages = account !== null && may(actor, 'team.manage', { spaceId, whitelabelId: account.whitelabel_id })
    const rows = await saved.of({ spaceId, personId: manages ? null : userId })
    const owners = await kit.people.namesOf([...new Set(rows.map((row) => row.person_id))])
    const nameOf = actorNamer(actor, spaceId, owners)
    return rows.flatMap((row) => {
      if (row.person_id === userId) return [savedOut(row, null)]
      const owner = owners.get(row.person_id)
      // Reports of the staff about an account are not its owner's.
      if (owner === undefined || !(isStaff(actor) || isOf(owner, spaceId))) return []
      return [savedOut(row, nameOf(row.person_id, 'ReportSaved'))]
    })
  }

  /** Checks a report by making it once; throws what its table would throw. */
  async function checked(caller: Caller, body: SavedReportBody): Promise<SavedFields & { readonly whitelabelId: string }> {
    const { name, report, format } = body
    const schedule: Schedule = { kind: body.schedule, day: body.schedule_day ?? null }
    if (!isSchedule(schedule))
      throw refused(2, [{ path: 'schedule_day', code: 2, message: 'This value is not one of those allowed', key: 'notAllowed' }])
    const covered = await coveredBy(kit, caller, report)
    const now = kit.now()
    const zone = zoneFor(kit, covered, 'account')
    const day = dayIn(now, dayZone(report, zone))
    await tables.page(covered, { ...tableInput(report, day), page: 0, page_size: 1 }, 'en')
    return { name, report, format, schedule, nextAt: nextDue(schedule, now, zone), whitelabelId: covered.whitelabelId }
  }

  return {
    list: seenBy,

    async add(caller: Caller, body: SavedReportBody): Promise<{ id: string }> {
      const { whitelabelId, ...fields } = await checked(caller, body)
      const id = kit.derivedId('saved-report', caller.commandId)
      if (!(await saved.add(id, { ...ownerOf(caller), whitelabelId }, fields, kit.now())))
        throw refused(2, [
          {
            path: 'name',
            code: 2,
            message: `An account has at most ${saved.most} saved reports`,
            key: 'tooMany',
            params: { max: saved.most },
          },
        ])
      return { id }
    },

    async change(caller: Caller, id: string, body: SavedReportBody): Promise<{ id: string }> {
      if (!(await saved.change(id, ownerOf(caller), await checked(caller, body)))) throw refused(131)
      return { id }
    },

    async remove(caller: Caller, id: string): Promise<{ id: string }> {
      const isSeen = (await seenBy(caller)).some((report) => report.id === id)
      if (!isSeen || !(await saved.remove(id))) throw refused(131)
      return { id }
    },
  }
}

/** Time zone whose day is today for a report. */
export const dayZone = ({ days_of: daysOf }: SavedReportInput, zone: Zone): Zone => (daysOf === 'account' ? zone : 0)

const savedOut = (row: SavedRow, owner: string | null): SavedReport => ({
  id: row.id,
  name: row.name,
  report: row.report,
  schedule: row.schedule,
  schedule_day: row.schedule_day,
  format: row.format,
  next_at: row.next_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  owner,
})
