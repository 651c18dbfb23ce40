import { z } from '../../../../../api/contract/zod.ts'

/** What the change log shows is in the address of the form, under keys of its own; what it shows by default is not. */

export const LOG_ROWS = [5, 10, 15, 25] as const
export const LOG_DEFAULTS = { page: 0, rows: 25 } as const

const revision = z.coerce.number().int().positive().optional().catch(undefined)

export const logSearch = z.object({
  log_page: z.coerce.number().int().min(0).optional().catch(undefined),
  log_rows: z.coerce
    .number()
    .refine((rows) => LOG_ROWS.some((known) => known === rows))
    .optional()
    .catch(undefined),
  /** Id of a person. */
  log_who: z.string().max(100).optional().catch(undefined),
  /** Path without ids of elements. */
  log_field: z.string().max(300).optional().catch(undefined),
  log_source: z.enum(['people', 'system']).optional().catch(undefined),
  /** Two revisions that are compared. */
  log_from: revision,
  log_to: revision,
})
export type LogSearch = z.output<typeof logSearch>

export type OnLogSearch = (patch: Partial<LogSearch>) => void

export const isFilteredLog = ({ log_who, log_field, log_source }: LogSearch) =>
  log_who !== undefined || log_field !== undefined || log_source !== undefined

export const NO_FILTERS = { log_who: undefined, log_field: undefined, log_source: undefined, log_page: undefined } as const

/** One page of the log as the server is asked for it; the screen counts from zero. */
export const askedOf = ({ log_page, log_rows, log_who, log_field, log_source }: LogSearch) => ({
  page: log_page ?? LOG_DEFAULTS.page,
  rows: log_rows ?? LOG_DEFAULTS.rows,
  author: log_who,
  field: log_field,
  source: log_source,
})
export type LogQuestion = ReturnType<typeof askedOf>
