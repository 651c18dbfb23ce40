import { STATUS_ALL, STATUS_KEYS } from '../../../../domain/campaign/status/status.ts'
import { z } from '../../../../api/contract/zod.ts'
import { isDay, presetRange, type DateRange } from '@/lib/date-range'

/** The state of the list is its URL: every reload, link and Back gives the same table. */

export const ROWS_PER_PAGE = [5, 10, 15, 25] as const
export const SORTS = ['name', 'impressions', 'clicks', 'conversions', 'spent'] as const
export type Sort = (typeof SORTS)[number]

export const LIST_DEFAULTS = { q: '', status: STATUS_ALL, page: 0, rows: 10, dir: 'desc' } as const

/** Characters that a search by name may have. */
export const LONGEST_QUERY = 300

const day = z.catch(z.optional(z.string().check(z.refine(isDay))), undefined)

export const listSearch = z.object({
  q: z.catch(z._default(z.coerce.string().check(z.maxLength(LONGEST_QUERY)), LIST_DEFAULTS.q), LIST_DEFAULTS.q),
  status: z.catch(
    z._default(
      z.coerce.number().check(z.refine((key) => key === STATUS_ALL || STATUS_KEYS.some((known) => known === key))),
      LIST_DEFAULTS.status,
    ),
    LIST_DEFAULTS.status,
  ),
  start: day,
  end: day,
  page: z.catch(z._default(z.coerce.number().check(z.int(), z.gte(0)), LIST_DEFAULTS.page), LIST_DEFAULTS.page),
  rows: z.catch(
    z._default(z.coerce.number().check(z.refine((rows) => ROWS_PER_PAGE.some((known) => known === rows))), LIST_DEFAULTS.rows),
    LIST_DEFAULTS.rows,
  ),
  sort: z.catch(z.optional(z.enum(SORTS)), undefined),
  dir: z.catch(z._default(z.enum(['asc', 'desc']), LIST_DEFAULTS.dir), LIST_DEFAULTS.dir),
})
export type ListSearch = z.output<typeof listSearch>

/** The range asked for; the default when the URL has none, half of one, or one that ends before it starts. */
export function rangeOf({ start, end }: Pick<ListSearch, 'start' | 'end'>, today: Date): DateRange {
  return start !== undefined && end !== undefined && start <= end ? { start, end } : presetRange('last7', today)
}

/** What the URL says for a range: nothing for the default one. */
export function rangeSearch(range: DateRange, today: Date): { start: string | undefined; end: string | undefined } {
  return isDefaultRange(range, today) ? { start: undefined, end: undefined } : { ...range }
}

export function isDefaultRange({ start, end }: DateRange, today: Date): boolean {
  const usual = presetRange('last7', today)
  return start === usual.start && end === usual.end
}

export const isFiltered = (search: ListSearch) => search.q !== '' || search.status !== STATUS_ALL

/** Clicking a heading: a new column starts with its most useful direction, the same one turns round. */
export function nextSort(search: ListSearch, column: Sort): Pick<ListSearch, 'sort' | 'dir'> {
  if (search.sort !== column) return { sort: column, dir: column === 'name' ? 'asc' : 'desc' }
  return { sort: column, dir: search.dir === 'asc' ? 'desc' : 'asc' }
}
