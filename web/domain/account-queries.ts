import { queryOptions } from '@tanstack/react-query'
import { listAccounts } from '../../api/contract/session.ts'
import { call } from '../api/client.ts'

export const accountQueries = {
  /** Every account in reach. */
  list: () =>
    queryOptions({
      queryKey: ['accounts', 'list'],
      queryFn: ({ signal }) => call(listAccounts, { body: {}, signal }),
      staleTime: 60_000,
    }),
}
