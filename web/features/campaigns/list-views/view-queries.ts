import { queryOptions } from '@tanstack/react-query'
import { listViews } from '#contract/views'
import type { ListScope } from '@/data/campaign-queries'
import { call } from '@/data/client'
import { shownSpace } from '@/session/identity'

export const viewsKey = () => ['campaigns', 'views'] as const

/** Saved views of a list: the user's own and the shared ones. */
export const viewsQuery = (scope: ListScope) =>
  queryOptions({
    queryKey: [...viewsKey(), scope, shownSpace()],
    queryFn: ({ signal }) => call(listViews, { query: { list: scope }, signal }),
    staleTime: 60_000,
  })
