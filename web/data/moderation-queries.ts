import { queryOptions } from '@tanstack/react-query'
import { listModerators, moderationQueue, reviewGuidelines, type QUEUE_FILTERS } from '#contract/moderation'
import { reviewFindings } from '#contract/review-findings'
import { listSecondLooks } from '#contract/second-looks'
import { call } from './client.ts'

export const QUEUE_PAGE_SIZE = 25
/** Between two questions while addresses of a submission are checked. */
const CHECKING_MS = 2000

type Queue = { readonly total_size: number; readonly registrants?: { readonly total_size: number } }

/** Submissions and registrants that wait for moderation (decisions G-211). */
export const waitingIn = (queue: Queue | undefined): number => (queue?.total_size ?? 0) + (queue?.registrants?.total_size ?? 0)

export const moderationQueries = {
  all: () => ['moderation'] as const,
  queue: (page: number, filter: (typeof QUEUE_FILTERS)[number] = 'all') =>
    queryOptions({
      queryKey: [...moderationQueries.all(), 'queue', page, filter],
      queryFn: ({ signal }) =>
        call(moderationQueue, {
          body: { page, page_size: QUEUE_PAGE_SIZE, ...(filter === 'all' ? {} : { filter }) },
          signal,
        }),
      refetchInterval: 60_000,
    }),
  /** Approvals that wait for a second look. */
  secondLooks: (page: number) =>
    queryOptions({
      queryKey: [...moderationQueries.all(), 'second-looks', page],
      queryFn: ({ signal }) => call(listSecondLooks, { body: { page, page_size: QUEUE_PAGE_SIZE }, signal }),
      refetchInterval: 60_000,
    }),
  guidelinesOfAll: () => ['moderation-guidelines'] as const,
  /** Canned reasons and the checklist for a campaign, and the language of its advertiser. */
  guidelines: (campaignId: string) =>
    queryOptions({
      queryKey: [...moderationQueries.guidelinesOfAll(), campaignId],
      queryFn: ({ signal }) => call(reviewGuidelines, { params: { id: campaignId }, signal }),
      staleTime: 60_000,
    }),
  /** Findings of simple checks in this revision of a campaign. */
  findings: (campaignId: string, revision: number) =>
    queryOptions({
      queryKey: [...moderationQueries.guidelinesOfAll(), campaignId, 'findings', revision],
      queryFn: ({ signal }) => call(reviewFindings, { params: { id: campaignId }, signal }),
      staleTime: 60_000,
      refetchInterval: ({ state }) => (state.data?.checking === true ? CHECKING_MS : false),
    }),
  /** Staff to whom submissions can be assigned. */
  moderators: () =>
    queryOptions({
      queryKey: ['moderators'],
      queryFn: ({ signal }) => call(listModerators, { signal }),
      staleTime: 60_000,
    }),
  /** Other waiting submissions of one account. */
  ofAccount: (spaceId: string) =>
    queryOptions({
      queryKey: [...moderationQueries.all(), 'account', spaceId],
      queryFn: ({ signal }) => call(moderationQueue, { body: { space_id: spaceId, page_size: QUEUE_PAGE_SIZE }, signal }),
    }),
}
