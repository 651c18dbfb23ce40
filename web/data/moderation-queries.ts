import { queryOptions } from '@tanstack/react-query'
import { moderationQueue } from '../../api/contract/moderation.ts'
import { call } from './client.ts'

export const QUEUE_PAGE_SIZE = 25

export const moderationQueries = {
  all: () => ['moderation'] as const,
  queue: (page: number) =>
    queryOptions({
      queryKey: [...moderationQueries.all(), 'queue', page],
      queryFn: ({ signal }) => call(moderationQueue, { body: { page, page_size: QUEUE_PAGE_SIZE }, signal }),
      refetchInterval: 60_000,
    }),
  /** Other waiting submissions of one account. */
  ofAccount: (spaceId: string) =>
    queryOptions({
      queryKey: [...moderationQueries.all(), 'account', spaceId],
      queryFn: ({ signal }) => call(moderationQueue, { body: { space_id: spaceId, page_size: QUEUE_PAGE_SIZE }, signal }),
    }),
}
