import type { ListView, ListViewState } from '#contract/views'
import { readHidden, writeHidden } from '@/components/data-table/table-view'
import { presetOf, presetRange, rangeOf, rangeSearch } from '@/lib/date-range'
import {
  listSearch,
  readAccounts,
  readLabels,
  readStatuses,
  writeAccounts,
  writeLabels,
  writeStatuses,
  type ListSearch,
} from '../list/campaign-list-search.ts'

/** State of a list that a view saves: a usual range moves with the day, others keep their days. Pages are not saved. */
export function stateOf(search: ListSearch, today: Date): ListViewState {
  const range = rangeOf(search, today)
  const preset = presetOf(range, today)
  return {
    q: search.q,
    statuses: [...readStatuses(search.status)],
    accounts: [...readAccounts(search.accounts)],
    labels: [...readLabels(search.labels)],
    ...(preset === null ? { start_date: range.start, end_date: range.end } : { range: preset }),
    sort: search.sort ?? null,
    dir: search.dir,
    hidden: [...readHidden(search.hide)],
    order: [...readHidden(search.columns)],
    rows: search.rows,
    density: search.density ?? 'comfortable',
  }
}

/** The address of a view on a day. What the list does not know any more is left out. */
export function searchOf({ id, state }: Pick<ListView, 'id' | 'state'>, today: Date): ListSearch {
  const days = state.range
    ? rangeSearch(presetRange(state.range, today), today)
    : { start: state.start_date ?? undefined, end: state.end_date ?? undefined }
  return listSearch.parse({
    q: state.q,
    status: writeStatuses(state.statuses),
    accounts: writeAccounts(state.accounts),
    labels: writeLabels(state.labels ?? []),
    ...days,
    sort: state.sort ?? undefined,
    dir: state.dir,
    hide: writeHidden(state.hidden),
    columns: writeHidden(state.order),
    rows: state.rows,
    density: state.density === 'compact' ? state.density : undefined,
    view: id,
  })
}

/** Every parameter of the list, so that a view replaces all of an address. */
export const asPatch = (search: ListSearch): ListSearch => ({ ...WHOLE, ...search })
const WHOLE = {
  start: undefined,
  end: undefined,
  sort: undefined,
  hide: undefined,
  columns: undefined,
  density: undefined,
  view: undefined,
} as const

/** The address of a list without a view. */
export const plainSearch = (): ListSearch => asPatch(listSearch.parse({}))

const same = (one: ListSearch, other: ListSearch, today: Date) =>
  JSON.stringify(stateOf(one, today)) === JSON.stringify(stateOf(other, today))

/** Whether the address still shows what the view holds. */
export const isUnchanged = (search: ListSearch, view: ListView, today: Date) => same(search, searchOf(view, today), today)

/** Whether the list was opened without a query. */
export const isPlain = (search: ListSearch, today: Date) =>
  search.view === undefined && search.page === 0 && same(search, plainSearch(), today)
