import { describe, expect, it } from 'vitest'
import type { ListView, ListViewState } from '#contract/views'
import { listSearch } from '../list/campaign-list-search.ts'
import { parseSearch } from '@/lib/search-text'
import { isPlain, isUnchanged, plainSearch, searchOf, stateOf } from './view-state.ts'

const TODAY = new Date(2026, 10, 20)
const LATER = new Date(2026, 11, 2)
const read = (url: string) => listSearch.parse(parseSearch(url))
const viewOf = (state: ListViewState): ListView => ({
  id: 'view-1',
  name: 'Busy',
  shared: false,
  by: 'Ada',
  own: true,
  editable: true,
  version: 1,
  state,
})
const FULL =
  '?q=autumn&status=3,41&accounts=a-1,a-2&labels=l-1,l-2&sort=spent&dir=asc&rows=25&hide=clicks&columns=spent,clicks&density=compact&start=2026-11-02&end=2026-11-09'

describe('the state that a view saves of a list', () => {
  it.each(['', '?q=autumn', FULL])('a view of a list saves the address %j, whichever page was shown', (url) => {
    const search = read(url)
    const view = viewOf(stateOf({ ...search, page: 3 }, TODAY))
    expect(searchOf(view, TODAY)).toEqual({ ...search, view: 'view-1' })
    expect(isUnchanged({ ...search, page: 2 }, view, TODAY)).toBe(true)
  })

  it('moves with the day where the range is a usual one, and keeps other days', () => {
    const month = viewOf(stateOf(read('?start=2026-10-01&end=2026-10-31'), TODAY))
    expect(searchOf(month, LATER)).toMatchObject({ start: '2026-11-01', end: '2026-11-30' })
    const days = viewOf(stateOf(read('?start=2026-10-01&end=2026-10-30'), TODAY))
    expect(searchOf(days, LATER)).toMatchObject({ start: '2026-10-01', end: '2026-10-30' })
  })

  it.each([
    'q=autumns',
    'status=3',
    'accounts=a-1',
    'sort=name',
    'dir=desc',
    'rows=10',
    'hide=spent',
    'columns=clicks',
    'density=',
  ])('a view of a list is changed by %s', (change) => {
    const view = viewOf(stateOf(read(FULL), TODAY))
    const [name = '', value = ''] = change.split('=')
    const url = new URLSearchParams(FULL)
    url.set(name, value)
    expect(isUnchanged(read(`?${url.toString()}`), view, TODAY)).toBe(false)
  })

  it('leaves out what the list does not know any more', () => {
    const state: ListViewState = { ...stateOf(read(FULL), TODAY), sort: 'zodiac', rows: 7, statuses: [3, 99] }
    expect(searchOf(viewOf(state), TODAY)).toMatchObject({ sort: undefined, rows: 10, status: '3' })
  })

  it('tells a list that was opened without a query', () => {
    expect([plainSearch(), read('')].map((search) => isPlain(search, TODAY))).toEqual([true, true])
    for (const url of ['?q=a', '?page=1', '?view=view-1', '?density=compact']) expect(isPlain(read(url), TODAY), url).toBe(false)
  })
})
