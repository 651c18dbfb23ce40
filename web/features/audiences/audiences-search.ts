import { z } from '#contract/zod'
import { listSearchShape } from '@/components/data-table/list-search'

/** The state of the list is its URL: reload, link and Back reproduce the table. */

export const AUDIENCE_TYPES = ['all', 'static', 'dynamic'] as const
export const AUDIENCE_STATUSES = ['all', '1', '2', '3'] as const
export const AUDIENCE_ROWS = [10, 25, 50, 100] as const
export const LONGEST_NAME = 300

export const AUDIENCES_DEFAULTS = { name: '', type: 'all', status: 'all', page: 0, rows: 25 } as const

export const audiencesSearch = z.object({
  name: z.catch(z._default(z.coerce.string().check(z.maxLength(LONGEST_NAME)), ''), ''),
  type: z.catch(z._default(z.enum(AUDIENCE_TYPES), 'all'), 'all'),
  status: z.catch(z._default(z.pipe(z.coerce.string(), z.enum(AUDIENCE_STATUSES)), 'all'), 'all'),
  ...listSearchShape({ choices: AUDIENCE_ROWS, rows: AUDIENCES_DEFAULTS.rows }),
})
export type AudiencesSearch = z.output<typeof audiencesSearch>

export const isFiltered = ({ name, type, status }: AudiencesSearch): boolean => name !== '' || type !== 'all' || status !== 'all'

/** The page of a search as the server takes it. */
export const pageOf = ({ name, type, status, page, rows }: AudiencesSearch) => ({
  name,
  type: type === 'all' ? null : type,
  status: status === 'all' ? null : STATUS_KEYS[status],
  page,
  page_size: rows,
})
const STATUS_KEYS = { '1': 1, '2': 2, '3': 3 } as const
