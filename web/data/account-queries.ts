import { queryOptions } from '@tanstack/react-query'
import { balance } from '../../api/contract/balance.ts'
import { listAccounts } from '../../api/contract/accounts.ts'
import { call } from './client.ts'

/** Timeout for reading a balance, milliseconds. */
const BALANCE_TIMEOUT_MS = 3000

export const accountQueries = {
  balances: () => ['accounts', 'balance'] as const,
  balance: (spaceId: string) =>
    queryOptions({
      queryKey: [...accountQueries.balances(), spaceId],
      queryFn: ({ signal }) =>
        call(balance, { params: { id: spaceId }, signal: AbortSignal.any([signal, AbortSignal.timeout(BALANCE_TIMEOUT_MS)]) }),
      staleTime: 10_000,
      retry: false,
    }),
  /** Every account that the user can access. */
  list: () =>
    queryOptions({
      queryKey: ['accounts', 'list'],
      queryFn: async ({ signal }) => {
        const asked = { status: 'opened', page_size: 150 } as const
        const first = await call(listAccounts, { body: asked, signal })
        const pages = [first]
        for (let page = 1; page * first.page_size < first.total_size; page++)
          pages.push(await call(listAccounts, { body: { ...asked, page }, signal }))
        return { ...first, data: pages.flatMap(({ data }) => data) }
      },
      staleTime: 60_000,
    }),
}
