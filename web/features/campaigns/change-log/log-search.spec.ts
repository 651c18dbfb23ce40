import { describe, expect, it } from 'vitest'
import { parseSearch, stringifySearch } from '@/lib/search-text'
import { editSearch } from '../form/form-search.ts'
import { askedOf } from './log-search.ts'

const read = (address: string) => editSearch.parse(parseSearch(address))

describe('the address of the change log', () => {
  it('says nothing about what is shown by default', () => {
    expect(stringifySearch(read('?tab=changeLog'))).toBe('?tab=changeLog')
    expect(askedOf(read('?tab=changeLog'))).toEqual({ page: 0, rows: 25 })
  })

  it('comes back as it was', () => {
    const address =
      '?tab=changeLog&log_page=2&log_rows=10&log_who=ada&log_field=targeting.gender&log_source=people&log_day=2026-11-03&log_from=3&log_to=1'
    expect(stringifySearch(read(address))).toBe(address)
  })

  it.each([
    'log_page=-1',
    'log_rows=7',
    'log_source=nobody',
    'log_day=today',
    'log_day=2026-13-40',
    'log_from=0',
    'log_to=first',
  ])('takes no nonsense: %s', (nonsense) => {
    expect(stringifySearch(read(`?tab=changeLog&${nonsense}`))).toBe('?tab=changeLog')
  })
})
