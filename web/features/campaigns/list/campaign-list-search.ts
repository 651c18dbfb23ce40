import { STATUS_ALL, STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { MOST_LABELS } from '#domain/campaign/labels'
import { z } from '#contract/zod'
import { MOST_SPACES, type ListInput } from '#contract/campaign-list'
import { arrangedSearchShape, listSearchShape, orderSearchShape } from '@/components/data-table/list-search'
import { isDay, rangeOf } from '@/lib/date-range'

/** The state of the list is its URL: reload, link and Back reproduce the table. */

export const ROWS_PER_PAGE = [5, 10, 15, 25] as const
export const SORTS = ['name', 'impressions', 'clicks', 'conversions', 'spent', 'ctr', 'cvr', 'cpm', 'cpc', 'cpa'] as const

export const LIST_DEFAULTS = { q: '', status: '', accounts: '', labels: '', page: 0, rows: 10, dir: 'desc' } as const

/** Longest search by name, in characters. */
export const LONGEST_QUERY = 300

const split = (joined: string): readonly string[] => (joined === '' ? [] : joined.split(','))
const areStatuses = (joined: string) => split(joined).every((key) => STATUS_KEYS.some((known) => String(known) === key))
const areIds = (most: number) => (joined: string) => {
  const ids = split(joined)
  return ids.length <= most && ids.every((id) => /^[\w-]{1,64}$/.test(id))
}

export const readStatuses = (status: string): readonly number[] => split(status).map(Number)
/** In the order of the statuses, so that one choice has one address. */
export const writeStatuses = (keys: readonly number[]): string => STATUS_KEYS.filter((key) => keys.includes(key)).join(',')
export const readAccounts = split
export const readLabels = split
export const writeLabels = (ids: readonly string[]): string => ids.join(',')
export const writeAccounts = (ids: readonly string[]): string => ids.join(',')

const day = z.catch(z.optional(z.string().check(z.refine(isDay))), undefined)

export const listSearch = z.object({
  q: z.catch(z._default(z.coerce.string().check(z.maxLength(LONGEST_QUERY)), LIST_DEFAULTS.q), LIST_DEFAULTS.q),
  /** Keys joined by commas; empty for every status. */
  status: z.catch(z._default(z.coerce.string().check(z.refine(areStatuses)), LIST_DEFAULTS.status), LIST_DEFAULTS.status),
  /** Ids joined by commas, in the list of all accounts; empty for every account. */
  accounts: z.catch(z._default(z.string().check(z.refine(areIds(MOST_SPACES))), LIST_DEFAULTS.accounts), LIST_DEFAULTS.accounts),
  /** Ids of labels joined by commas; empty for every campaign. */
  labels: z.catch(z._default(z.string().check(z.refine(areIds(MOST_LABELS))), LIST_DEFAULTS.labels), LIST_DEFAULTS.labels),
  start: day,
  end: day,
  ...listSearchShape({ choices: ROWS_PER_PAGE, rows: LIST_DEFAULTS.rows }),
  ...orderSearchShape(SORTS, LIST_DEFAULTS.dir),
  ...arrangedSearchShape(),
  /** Id of the saved view that was opened. */
  view: z.catch(z.optional(z.string().check(z.regex(/^[\w-]{1,64}$/))), undefined),
})
export type ListSearch = z.output<typeof listSearch>

export const isFiltered = ({ q, status, accounts, labels }: ListSearch) =>
  q !== '' || status !== '' || accounts !== '' || labels !== ''
/** Removes every filter but the dates. */
export const NO_FILTERS = { q: '', status: '', accounts: '', labels: '', page: 0 } as const

const METRICS = ['spent', 'impressions', 'conversions', 'clicks', 'ctr', 'cpm', 'cpc', 'cvr', 'cpa', 'unconfirmed_conversions']

/** One status is sent as its key alone, as before several could be chosen. */
function statusFilterOf(keys: readonly number[]) {
  const [first = STATUS_ALL, ...others] = keys
  return others.length === 0 ? first : [...keys]
}

/** Returns the server's input: one account's campaigns, or with a null space those of every accessible account. */
export function listInputOf(search: ListSearch, spaceId: string | null, today: Date): ListInput {
  const range = rangeOf(search, today)
  const accounts = spaceId === null ? readAccounts(search.accounts) : []
  return {
    from_date: range.start,
    to_date: range.end,
    page: search.page,
    pageSize: search.rows,
    name: search.q,
    status_filter: statusFilterOf(readStatuses(search.status)),
    space_id: spaceId,
    ...(accounts.length === 0 ? {} : { space_ids: [...accounts] }),
    ...(search.labels === '' ? {} : { label_ids: [...readLabels(search.labels)] }),
    sort_by_field: 'status',
    ...(search.sort === undefined ? {} : { order_field: search.sort, order_asc: search.dir === 'asc' }),
    included_metrics: METRICS,
  }
}
