import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { accountSearch, adminSearch } from '#contract/accounts'
import { call } from './client.ts'

/** A search is sent this long after the last keystroke, milliseconds (platform.md §9). */
export const SEARCH_DELAY_MS = 300

export const searchQueries = {
  all: (name: string) =>
    queryOptions({
      queryKey: ['search', 'all', name],
      // With its query: while the next answer is on its way, the rows of this one stay.
      queryFn: async ({ signal }) => ({ ...(await call(adminSearch, { body: { name }, signal })), query: name }),
      placeholderData: keepPreviousData,
    }),
  accounts: (name: string) =>
    queryOptions({
      queryKey: ['search', 'accounts', name],
      queryFn: ({ signal }) => call(accountSearch, { body: { name }, signal }),
      placeholderData: keepPreviousData,
    }),
}
