import { STATUS_ALL, STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { z } from '#contract/zod'
import type { ListInput } from '#contract/campaign-list'
import { listSearchShape, orderSearchShape } from '@/components/data-table/list-search'
import { isDay, rangeOf } from '@/lib/date-range'

/** The state of the list is its URL: reload, link and Back reproduce the table. */

export const ROWS_PER_PAGE = [5, 10, 15, 25] as const
export const SORTS = ['name', 'impressions', 'clicks', 'conversions', 'spent'] as const

export const LIST_DEFAULTS = { q: '', status: STATUS_ALL, page: 0, rows: 10, dir: 'desc' } as const

/** Longest search by name, in characters. */
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
  ...listSearchShape({ choices: ROWS_PER_PAGE, rows: LIST_DEFAULTS.rows }),
  ...orderSearchShape(SORTS, LIST_DEFAULTS.dir),
})
export type ListSearch = z.output<typeof listSearch>

export const isFiltered = (search: ListSearch) => search.q !== '' || search.status !== STATUS_ALL

const METRICS = ['spent', 'impressions', 'conversions', 'clicks', 'ctr', 'cpm', 'cpc', 'cvr', 'cpa']

/** Returns the server's input: one account's campaigns, or with a null space those of every accessible account. */
export function listInputOf(search: ListSearch, spaceId: string | null, today: Date): ListInput {
  const range = rangeOf(search, today)
  return {
    from_date: range.start,
    to_date: range.end,
    page: search.page,
    pageSize: search.rows,
    name: search.q,
    status_filter: search.status,
    space_id: spaceId,
    sort_by_field: 'status',
    ...(search.sort === undefined ? {} : { order_field: search.sort, order_asc: search.dir === 'asc' }),
    included_metrics: METRICS,
  }
}
