import { sql, type Kysely, type Selectable } from 'kysely'
import type { Schedule, ScheduleKind } from '#domain/reports/schedule'
import type { SavedReportInput } from '#contract/saved-reports'
import { allOf, timestamptz } from '#eventstore/postgres/expressions'
import type { AppSavedReports, Db } from '#migrations/db'

/** A report that a user saved in an account. */
export type SavedRow = Readonly<Omit<Selectable<AppSavedReports>, 'report' | 'schedule' | 'format'>> & {
  readonly report: SavedReportInput
  readonly schedule: ScheduleKind
  readonly format: 'csv' | 'xlsx'
}
export type SavedFields = Pick<SavedRow, 'name' | 'report' | 'format'> & {
  readonly schedule: Schedule
  readonly nextAt: string | null
}
type Owner = { readonly personId: string; readonly spaceId: string; readonly whitelabelId: string }
/** Those of one person in an account, or of all its people where that is null. */
type SavedReach = { readonly spaceId: string; readonly personId: string | null }

export type ReportFile = {
  readonly mailId: string
  readonly filename: string
  readonly contentType: string
  readonly content: Buffer
}

/** Reports of an account, of all its users together. */
export const MOST_SAVED = 100
/** Due reports that are taken at once. */
const DUE_AT_ONCE = 10
/** Files of mails are kept as long as their mails. */
const KEPT_DAYS = 30

/** Saved reports. Each belongs to the user who saved it, in the account in which it was saved. */
export function createSavedReports(db: Kysely<Db>) {
  const saved = db.selectFrom('app.saved_reports').selectAll().$castTo<SavedRow>()
  return {
    most: MOST_SAVED,

    /** Keeps the file of a mail, in the transaction that queues the mail. */
    async keepFile(tx: Kysely<Db>, { mailId, filename, contentType, content }: ReportFile): Promise<void> {
      await tx
        .insertInto('app.report_files')
        .values({ mail_id: mailId, filename, content_type: contentType, content })
        .onConflict((conflict) => conflict.column('mail_id').doNothing())
        .execute()
    },

    /** The file that was queued with a mail; null where there is none. */
    async fileOf(mailId: string): Promise<Omit<ReportFile, 'mailId'> | null> {
      const files = db.selectFrom('app.report_files').select(['filename', 'content_type as contentType', 'content'])
      return (await files.where('mail_id', '=', mailId).executeTakeFirst()) ?? null
    },

    async of({ personId, spaceId }: SavedReach): Promise<readonly SavedRow[]> {
      return (personId === null ? saved : saved.where('person_id', '=', personId))
        .where('space_id', '=', spaceId)
        .orderBy((eb) => eb.fn<string>('lower', ['name']))
        .orderBy('id')
        .execute()
    },

    /** Saves a new report; false when the account has too many. A repeat of the id changes nothing. */
    async add(id: string, owner: Owner, fields: SavedFields, now: string): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        // One count at a time for each account.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`saved reports ${owner.spaceId}`}, 0))`.execute(tx)
        const { rows } = await sql<{ readonly id: string }>`
          insert into app.saved_reports (id, person_id, space_id, whitelabel_id, name, report, schedule, schedule_day, format, next_at,
            created_at)
          select ${id}, ${owner.personId}, ${owner.spaceId}, ${owner.whitelabelId}, ${fields.name}, ${JSON.stringify(fields.report)}::json,
            ${fields.schedule.kind}, ${fields.schedule.day}::smallint, ${fields.format}, ${fields.nextAt}::timestamptz, ${now}::timestamptz
          where (select count(*) from app.saved_reports where space_id = ${owner.spaceId} and id <> ${id}) < ${MOST_SAVED}
          on conflict (id) do update set id = excluded.id returning id`.execute(tx)
        return rows.length > 0
      })
    },

    /** False for an unknown id, or a report of another user or account. */
    async change(id: string, { personId, spaceId }: Omit<Owner, 'whitelabelId'>, fields: SavedFields): Promise<boolean> {
      const { name, report, schedule, format, nextAt } = fields
      const { numUpdatedRows } = await db
        .updateTable('app.saved_reports')
        .set({
          name,
          report: JSON.stringify(report),
          schedule: schedule.kind,
          schedule_day: schedule.day,
          format,
          next_at: nextAt,
        })
        .where('id', '=', id)
        .where('person_id', '=', personId)
        .where('space_id', '=', spaceId)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async remove(id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('app.saved_reports').where('id', '=', id).executeTakeFirst()
      return numDeletedRows === 1n
    },

    /** Reports whose mail is due but for these, the longest due first. */
    async due(now: string, except: readonly string[]): Promise<readonly SavedRow[]> {
      const found = saved.where('next_at', '<=', timestamptz(now)).where('id', '<>', allOf(except))
      return found.orderBy('next_at').orderBy('id').limit(DUE_AT_ONCE).execute()
    },

    /**
     * Moves a report to its next time, and queues its mail in the same transaction. Does nothing where another process was first, or
     * the report changed.
     */
    async advance(
      { id, next_at: dueAt }: Pick<SavedRow, 'id' | 'next_at'>,
      nextAt: string | null,
      queue: (tx: Kysely<Db>) => Promise<void>,
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('app.saved_reports')
          .set({ next_at: nextAt })
          .where('id', '=', id)
          .where((eb) => sql<boolean>`date_trunc('milliseconds', ${eb.ref('next_at')}) = ${dueAt}`)
          .executeTakeFirst()
        if (numUpdatedRows === 1n) await queue(tx)
      })
    },

    async purge(): Promise<void> {
      await db
        .deleteFrom('app.report_files')
        .where('made_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
        .execute()
    },
  }
}
export type SavedReports = ReturnType<typeof createSavedReports>
