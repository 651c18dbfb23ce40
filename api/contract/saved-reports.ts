import { REPORT_RANGES, SCHEDULES } from '#domain/reports/schedule'
import { idParams } from './campaign-answers.ts'
import { endpoint, named, position } from './http.ts'
import { tableInput } from './report-tables.ts'
import { shownName } from './shown-name.ts'
import { z } from './zod.ts'

const savedInput = z.extend(
  z.omit(tableInput, { from_date: true, to_date: true, page: true, page_size: true, language_key: true }),
  {
    /** Moves with the day; without it the dates are fixed. */
    range: z.nullish(z.enum(REPORT_RANGES)),
    start_date: z.nullish(z.string().check(z.maxLength(10))),
    end_date: z.nullish(z.string().check(z.maxLength(10))),
  },
)
export type SavedReportInput = z.infer<typeof savedInput>

const savedBody = named(
  'SavedReportBody',
  z.object({
    name: shownName(),
    report: savedInput,
    /** When it is mailed, at eight in the morning of the account's days. */
    schedule: z.enum(SCHEDULES),
    /** Day of a weekly schedule 1 (Monday) to 7, of a monthly one 1 to 28. */
    schedule_day: z.nullish(z.int()),
    /** Format of the attachment. */
    format: z.enum(['csv', 'xlsx']),
  }),
)
export type SavedReportBody = z.infer<typeof savedBody>

const savedReport = named(
  'SavedReport',
  z.object({
    id: z.string(),
    name: z.string(),
    report: savedInput,
    schedule: z.enum(SCHEDULES),
    schedule_day: z.nullable(z.number()),
    format: z.enum(['csv', 'xlsx']),
    /** When its next mail is due. */
    next_at: z.nullable(z.string()),
    created_at: z.string(),
    /** The user who saved it and gets its mails; null for the caller. */
    owner: z.nullable(z.string()),
  }),
)
export type SavedReport = z.infer<typeof savedReport>

const ofSaved = { reads: ['campaign-list', 'accounts'], access: 'campaign.read' } as const
const savedId = z.object({ id: z.string(), position })

export const savedReports = endpoint({
  ...ofSaved,
  id: 'reports.saved',
  method: 'GET',
  path: '/v1/reports/saved',
  summary:
    'Reports that the user saved in the account that the session acts in; those of all its people for who may manage its team',
  output: z.array(savedReport),
})

export const addSavedReport = endpoint({
  ...ofSaved,
  id: 'reports.save',
  method: 'POST',
  path: '/v1/reports/saved',
  summary: 'Save a report, to open it again and to get it by mail; an account has at most 100',
  body: 'json',
  input: savedBody,
  output: savedId,
  write: true,
})

export const changeSavedReport = endpoint({
  ...ofSaved,
  id: 'reports.changeSaved',
  method: 'PUT',
  path: '/v1/reports/saved/:id',
  summary: 'Change a saved report; 131 for an unknown one',
  params: idParams,
  body: 'json',
  input: savedBody,
  output: savedId,
  write: true,
})

export const removeSavedReport = endpoint({
  ...ofSaved,
  id: 'reports.removeSaved',
  method: 'DELETE',
  path: '/v1/reports/saved/:id',
  summary: 'Remove a saved report, own or of an account whose team the user may manage; 131 for an unknown one',
  params: idParams,
  output: savedId,
  write: true,
})

export const SAVED_REPORT_ENDPOINTS = [savedReports, addSavedReport, changeSavedReport, removeSavedReport]
