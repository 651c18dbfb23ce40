import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { listScheduled } from '#contract/schedules'
import { campaignQueries } from '@/data/campaign-queries'
import { call } from '@/data/client'
import { now } from '@/lib/clock'

/** A campaign has at most 20 changes that wait. */
const MOST = 20
/** Interval of reads while a change is due: one that is refused changes no campaign, which the page would be notified of. */
const SOON_MS = 3000
/** The longest interval: timers have a largest one. */
const LONGEST_MS = 3_600_000

/** How often the list is read, at least. */
const LIST_MS = 60_000
/** Rows of a page of the list. */
export const SCHEDULE_ROWS = 50

const untilNext = (data: { readonly data: readonly { readonly due_at: string }[] } | undefined): number | false => {
  const [next] = data?.data ?? []
  if (next === undefined) return false
  return Math.min(LONGEST_MS, Math.max(SOON_MS, Date.parse(next.due_at) - now()))
}

export const scheduleQueries = {
  /** Waiting changes of a campaign, the next one first. Below the campaign: they are read again when the campaign changed. */
  waiting: (campaignId: string) =>
    queryOptions({
      queryKey: [...campaignQueries.details(), campaignId, 'schedule'],
      queryFn: ({ signal }) =>
        call(listScheduled, { query: { campaign_id: campaignId, state: 'waiting', page: 0, page_size: MOST }, signal }),
      refetchInterval: ({ state: { data } }) => untilNext(data),
    }),
  /** Ended changes of a campaign within 90 days, the newest first. */
  ended: (campaignId: string) =>
    queryOptions({
      queryKey: [...campaignQueries.details(), campaignId, 'schedule', 'ended'],
      queryFn: ({ signal }) =>
        call(listScheduled, { query: { campaign_id: campaignId, state: 'ended', page: 0, page_size: MOST }, signal }),
    }),
  lists: () => ['schedule'] as const,
  /** Waiting or ended changes in the user's account; for staff who act in none, in all that they may read. */
  list: (state: 'waiting' | 'ended', page: number) =>
    queryOptions({
      queryKey: [...scheduleQueries.lists(), state, page],
      queryFn: ({ signal }) => call(listScheduled, { query: { state, page, page_size: SCHEDULE_ROWS }, signal }),
      placeholderData: keepPreviousData,
      // Others schedule too, and what is due ends.
      refetchInterval: ({ state: { data } }) => Math.min(LIST_MS, untilNext(data) || LIST_MS),
    }),
}

/** Reads again what waits for these campaigns, and the lists of all. */
export async function refreshScheduled(queryClient: QueryClient, campaignIds: readonly string[]): Promise<void> {
  const keys = [...campaignIds.map((id) => scheduleQueries.waiting(id).queryKey), scheduleQueries.lists()]
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
