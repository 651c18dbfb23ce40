import { infiniteQueryOptions } from '@tanstack/react-query'
import { campaignStatusHistory } from '#contract/status-history'
import { call } from '@/data/client'

/** Entries that one press adds to the timeline. */
const ENTRIES = 20

/** Past statuses, newest first. The key contains the revision: after a change of the campaign, the timeline starts over. */
export const statusHistoryQuery = (id: string, revision: number) =>
  infiniteQueryOptions({
    queryKey: ['campaigns', 'status-history', id, revision],
    queryFn: ({ signal, pageParam }) =>
      call(campaignStatusHistory, { params: { id }, query: { page: pageParam, page_size: ENTRIES }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ current_page: page, page_size: size, total_size: total }) =>
      (page + 1) * size < total ? page + 1 : null,
  })
