import { assert, constantFrom, date, nat, option, property, record, string, subarray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { presetRange, rangeOf, rangeSearch } from '@/lib/date-range'
import { parseSearch, stringifySearch } from '@/lib/search-text'
import {
  LIST_DEFAULTS,
  listInputOf,
  listSearch,
  ROWS_PER_PAGE,
  SORTS,
  writeAccounts,
  writeLabels,
  writeStatuses,
} from './campaign-list-search.ts'

const read = (url: string) => listSearch.parse(parseSearch(url))
const today = new Date(2026, 10, 20)
const day = date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }).map((picked) =>
  picked.toISOString().slice(0, 10),
)

describe('the search parameters of the list', () => {
  it('the search parameters of the list are read as they were written', () => {
    const search = record({
      q: string({ maxLength: 40 }),
      status: subarray([...STATUS_KEYS]).map(writeStatuses),
      accounts: subarray(['account-1', 'account-2', 'account-3']).map(writeAccounts),
      labels: subarray(['label-1', 'label-2']).map(writeLabels),
      start: option(day, { nil: undefined }),
      end: option(day, { nil: undefined }),
      page: nat(999),
      rows: constantFrom(...ROWS_PER_PAGE),
      sort: option(constantFrom(...SORTS), { nil: undefined }),
      dir: constantFrom('asc' as const, 'desc' as const),
      hide: option(constantFrom('clicks', 'clicks,spent'), { nil: undefined }),
    })
    assert(
      property(search, (value) => {
        expect(read(stringifySearch(value))).toEqual(value)
      }),
    )
  })

  it('the search parameters of the list keep a name that looks like a number as text', () => {
    expect(read('?q=2024').q).toBe('2024')
    expect(stringifySearch({ q: '2024' })).toBe('?q=2024')
  })

  it.each([
    ['', 50],
    // As links of before say every status.
    ['?status=50', 50],
    ['?status=3', 3],
    ['?status=0,3', [0, 3]],
  ])('the search parameters of the list ask with %j for the statuses %j', (url, asked) => {
    expect(listInputOf(read(url), 'space-1', today).status_filter).toEqual(asked)
  })

  it('the search parameters of the list ask for accounts in the list of all accounts alone', () => {
    const search = read('?accounts=account-1,account-2')
    expect(listInputOf(search, null, today)).toMatchObject({ space_id: null, space_ids: ['account-1', 'account-2'] })
    expect(listInputOf(search, 'space-1', today)).not.toHaveProperty('space_ids')
    expect(read(`?accounts=${Array.from({ length: 51 }, (_, n) => `account-${n}`).join(',')}`).accounts).toBe('')
    expect(read('?accounts=a,,b').accounts).toBe('')
  })

  it('the search parameters of the list fall back to the defaults for unknown values', () => {
    expect(read('?status=4&page=-1&rows=7&sort=revision&dir=up&start=2026-02-30&end=x&hide=,')).toEqual({
      ...LIST_DEFAULTS,
      start: undefined,
      end: undefined,
      sort: undefined,
    })
  })

  it('the search parameters of the list omit the default range and write other ranges as days', () => {
    expect(rangeSearch(presetRange('last7', today), today)).toEqual({ start: undefined, end: undefined })
    expect(rangeSearch(presetRange('pastMonth', today), today)).toEqual({ start: '2026-10-01', end: '2026-10-31' })
    expect(rangeOf({ start: '2026-11-09', end: '2026-11-01' }, today)).toEqual({ start: '2026-11-14', end: '2026-11-20' })
  })
})
