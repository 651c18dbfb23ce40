import { queryOptions } from '@tanstack/react-query'
import { moderationQueue } from '#contract/moderation'
import { call } from './client.ts'

export const QUEUE_PAGE_SIZE = 25

type Queue = { readonly total_size: number; readonly registrants?: { readonly total_size: number } }

/** Submissions and registrants that wait for moderation (decisions G-211). */
export const waitingIn = (queue: Queue | undefined): number => (queue?.total_size ?? 0) + (queue?.registrants?.total_size ?? 0)

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
