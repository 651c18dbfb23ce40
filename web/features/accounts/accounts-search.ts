import { ACCOUNT_SORTS, DATE_LABELS } from '#contract/account-list'
import type { AccountsAsked } from '#contract/accounts'
import { z } from '#contract/zod'
import { listSearchShape, orderSearchShape } from '@/components/data-table/list-search'
import { isDay, presetRange } from '@/lib/date-range'

/** The state of the list is its URL: reload, link and Back reproduce the table. */

export const STATES = ['all', 'active', 'suspended', 'registered', 'approved', 'rejected'] as const
export const PERIODS = ['all', ...DATE_LABELS, 'custom'] as const
export const ACCOUNT_ROWS = [10, 25, 50, 100] as const
export const LONGEST_QUERY = 300

const day = z.catch(z.optional(z.string().check(z.refine(isDay))), undefined)
const query = z.catch(z._default(z.coerce.string().check(z.maxLength(LONGEST_QUERY)), ''), '')

export const ACCOUNTS_DEFAULTS = { q: '', name: '', status: 'all', period: 'all', page: 0, rows: 25, dir: 'asc' } as const

export const accountsSearch = z.object({
  q: query,
  name: query,
  status: z.catch(z._default(z.enum(STATES), 'all'), 'all'),
  period: z.catch(z._default(z.enum(PERIODS), 'all'), 'all'),
  start: day,
  end: day,
  ...listSearchShape({ choices: ACCOUNT_ROWS, rows: ACCOUNTS_DEFAULTS.rows }),
  ...orderSearchShape(ACCOUNT_SORTS, ACCOUNTS_DEFAULTS.dir),
})
export type AccountsSearch = z.output<typeof accountsSearch>

export const isFiltered = ({ q, name, status, period }: AccountsSearch): boolean =>
  q !== '' || name !== '' || status !== 'all' || period !== 'all'

/** Keys of platform.md §3 on the wire; suspension has none. */
const STATUS_KEYS = { all: 50, active: 5, registered: 1, approved: 2, rejected: 3 } as const

/** The days of a custom period, the last seven ones until they are chosen. */
export const customRange = ({ start, end }: Pick<AccountsSearch, 'start' | 'end'>, today: Date) =>
  start !== undefined && end !== undefined && start <= end ? { start, end } : presetRange('last7', today)

/** The filter of a search as the server takes it. */
export function filterOf(search: AccountsSearch, today: Date): AccountsAsked {
  const { q, name, status, period } = search
  const custom = customRange(search, today)
  return {
    search: q,
    name,
    ...(status === 'suspended' ? { status } : { status_filter_key: STATUS_KEYS[status] }),
    ...(period === 'custom'
      ? { dateLabel: 'custom', dateCustomRange: [custom.start, custom.end], from_date: custom.start, to_date: custom.end }
      : { dateLabel: period }),
  }
}

/** The page of a search as the server takes it. */
export const pageOf = (search: AccountsSearch, today: Date): AccountsAsked => ({
  ...filterOf(search, today),
  ...orderOf(search),
  page: search.page,
  page_size: search.rows,
})

export const orderOf = ({ sort, dir }: AccountsSearch) => ({ sort: sort ?? 'name', descending: dir === 'desc' })
