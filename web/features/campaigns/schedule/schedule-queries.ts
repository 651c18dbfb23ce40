import { queryOptions } from '@tanstack/react-query'
import { listScheduled } from '#contract/schedules'
import { campaignQueries } from '@/data/campaign-queries'
import { call } from '@/data/client'
import { now } from '@/lib/clock'

/** A campaign has at most 20 changes that wait. */
const MOST = 20
/** What is due is carried out within seconds; one that is refused changes no campaign, which the page would be notified of. */
const SOON_MS = 3000
/** The longest interval: timers have a largest one. */
const LONGEST_MS = 3_600_000

export const scheduleQueries = {
  /** What waits for a campaign, the next one first. Below the campaign: it is read again when the campaign changed. */
  waiting: (campaignId: string) =>
    queryOptions({
      queryKey: [...campaignQueries.details(), campaignId, 'schedule'],
      queryFn: ({ signal }) =>
        call(listScheduled, { query: { campaign_id: campaignId, state: 'waiting', page: 0, page_size: MOST }, signal }),
      refetchInterval: ({ state: { data } }) => {
        const [next] = data?.data ?? []
        if (next === undefined) return false
        return Math.min(LONGEST_MS, Math.max(SOON_MS, Date.parse(next.due_at) - now()))
      },
    }),
  /** What ended for a campaign within 90 days, the newest first. */
  ended: (campaignId: string) =>
    queryOptions({
      queryKey: [...campaignQueries.details(), campaignId, 'schedule', 'ended'],
      queryFn: ({ signal }) =>
        call(listScheduled, { query: { campaign_id: campaignId, state: 'ended', page: 0, page_size: MOST }, signal }),
    }),
}
