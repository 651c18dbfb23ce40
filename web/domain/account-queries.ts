import { queryOptions } from '@tanstack/react-query'
import { listAccounts } from '../../api/contract/session.ts'
import { call } from '../api/client.ts'

export const accountQueries = {
  /** Every account in reach. */
  list: () =>
    queryOptions({
      queryKey: ['accounts', 'list'],
      queryFn: async ({ signal }) => {
        const first = await call(listAccounts, { body: {}, signal })
        const pages = [first]
        for (let page = 1; page * first.page_size < first.total_size; page++)
          pages.push(await call(listAccounts, { body: { page }, signal }))
        return { ...first, data: pages.flatMap(({ data }) => data) }
      },
      staleTime: 60_000,
    }),
}
