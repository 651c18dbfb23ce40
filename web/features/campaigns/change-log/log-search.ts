import type { LogQuestion } from '@/data/campaign-queries'
import { pageParam, pageSearch } from '@/components/data-table/list-search'
import type { ListPatch } from '@/components/data-table/use-list-page'
import { isDay } from '@/lib/date-range'
import { z } from '#contract/zod'

/** The state of the change log is stored in the form's URL under its own keys. Default values are omitted. */

export const LOG_ROWS = [5, 10, 15, 25] as const
export const LOG_DEFAULTS = { page: 0, rows: 25 } as const

const revision = z.catch(z.optional(z.coerce.number().check(z.int(), z.positive())), undefined)

export const logSearch = z.object({
  log_page: pageSearch,
  log_rows: z.catch(z.optional(z.coerce.number().check(z.refine((rows) => LOG_ROWS.some((known) => known === rows)))), undefined),
  /** Id of a user. */
  log_who: z.catch(z.optional(z.string().check(z.maxLength(100))), undefined),
  /** Path without element ids. */
  log_field: z.catch(z.optional(z.string().check(z.maxLength(300))), undefined),
  log_source: z.catch(z.optional(z.enum(['people', 'system'])), undefined),
  /** UTC day, YYYY-MM-DD. */
  log_day: z.catch(z.optional(z.string().check(z.refine(isDay))), undefined),
  /** The revision whose entry is open. */
  log_open: revision,
  /** The two compared revisions. */
  log_from: revision,
  log_to: revision,
})
export type LogSearch = z.output<typeof logSearch>

export type OnLogSearch = (patch: Partial<LogSearch>, history?: 'push' | 'replace') => void

/** A change of the list's page or rows, under the keys of the log. */
export const logPatchOf = ({ page, rows }: ListPatch): Partial<LogSearch> => ({
  ...(page === undefined ? {} : { log_page: pageParam(page) }),
  ...(rows === undefined ? {} : { log_rows: rows === LOG_DEFAULTS.rows ? undefined : rows }),
})

export const isFilteredLog = ({ log_who, log_field, log_source, log_day }: LogSearch) =>
  [log_who, log_field, log_source, log_day].some((filter) => filter !== undefined)

export const NO_FILTERS = {
  log_who: undefined,
  log_field: undefined,
  log_source: undefined,
  log_day: undefined,
  log_page: undefined,
} as const

/** Returns the request for one page of the log. The screen counts pages from zero. */
export const askedOf = ({ log_page, log_rows, log_who, log_field, log_source, log_day }: LogSearch): LogQuestion => ({
  page: log_page ?? LOG_DEFAULTS.page,
  rows: log_rows ?? LOG_DEFAULTS.rows,
  author: log_who,
  field: log_field,
  source: log_source,
  day: log_day,
})
