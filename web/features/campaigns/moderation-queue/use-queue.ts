import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { usePageInRange } from '@/components/data-table/use-list-page'
import { moderationQueries, QUEUE_PAGE_SIZE } from '@/data/moderation-queries'
import type { QueuedSubmission } from '#contract/moderation'
import { isFree } from '@/features/campaigns/moderation/holds'
import { now } from '@/lib/clock'
import { useMe } from '@/session/session-queries'
import { campaignQueries } from '@/data/campaign-queries'
import type { OnQueueSearch, QueueSearch } from './queue-search.ts'
import { useDelayedDecisions } from '@/features/campaigns/moderation/use-delayed-decisions'

/**
 * Returns the waiting submissions, the selected one, and the navigation between them. `onFollow` is called after automatic
 * navigation, not after a choice from the list.
 */
export function useQueue({ id, page, filter }: QueueSearch, onSearchOf: OnQueueSearch, onFollow: () => void) {
  const { data, error, refetch } = useQuery(moderationQueries.queue(page, filter))
  const { id: me } = useMe()
  // The filter stays while one walks through the queue.
  const onSearch: OnQueueSearch = (search, history) => onSearchOf({ filter, ...search }, history)
  // Default: the first of the page, or the last after stepping back from the next page. It stays selected when the queue changes,
  // so that the viewed submission is never replaced.
  const [fromBehind, setFromBehind] = useState(false)
  const [first, setFirst] = useState<{ readonly page: number; readonly id: string } | null>(null)
  const show = (next: string | undefined) => {
    onFollow()
    if (next === undefined) setFirst(null)
    onSearch(next === undefined ? { page } : { page, id: next })
  }
  const decisions = useDelayedDecisions(({ id: campaign, approval }) =>
    approval === undefined ? show(campaign) : onSearchOf({ tab: 'second', page: 0, id: campaign }),
  )
  const { flush } = decisions
  useEffect(() => () => void flush(), [flush])
  const rows = data?.data.filter(
    (row) => !decisions.isDecided({ id: row.campaign_id, moderation_start_at: row.moderation_start_at }),
  )
  const open = (row: QueuedSubmission) => isFree(row, me, now())
  const top = (fromBehind ? (rows?.findLast(open) ?? rows?.at(-1)) : (rows?.find(open) ?? rows?.at(0)))?.campaign_id
  if (id === undefined && first?.page !== page && top !== undefined) setFirst({ page, id: top })

  const selected = id ?? (first?.page === page ? first.id : undefined)
  // The page stays while a submission is viewed, however many still wait.
  const beyond = usePageInRange({
    page,
    rows: QUEUE_PAGE_SIZE,
    total: selected === undefined ? data?.total_size : undefined,
    onPage: (last) => onSearch({ page: last }, 'replace'),
  })
  const place = rows?.findIndex((row) => row.campaign_id === selected) ?? -1
  const next = rows?.[place + 1]?.campaign_id
  const previous = place > 0 ? rows?.[place - 1]?.campaign_id : undefined
  const nextFree = rows?.slice(place + 1).find(open)?.campaign_id
  const previousFree = place > 0 ? rows?.slice(0, place).findLast(open)?.campaign_id : undefined
  const total = Math.max(0, (data?.total_size ?? 0) - ((data?.data.length ?? 0) - (rows?.length ?? 0)))
  const pages = Math.ceil((data?.total_size ?? 0) / QUEUE_PAGE_SIZE)
  const turnTo = (other: number) => {
    setFromBehind(false)
    onSearch({ page: other })
  }
  const followTo = (other: number) => {
    onFollow()
    setFromBehind(other < page)
    onSearch({ page: other })
  }

  const showNext = next !== undefined ? () => show(next) : page + 1 < pages ? () => followTo(page + 1) : null

  // Prefetch the next submission and keep it fresh, so that it renders immediately.
  useQuery({ ...campaignQueries.detail(next ?? ''), enabled: next !== undefined, notifyOnChangeProps: [] })
  useQuery({ ...moderationQueries.guidelines(next ?? ''), enabled: next !== undefined, notifyOnChangeProps: [] })

  return {
    /** Undefined while they load. */
    rows: beyond ? undefined : rows,
    total,
    /** Registrants that wait; undefined while loading. */
    registrants: data?.registrants.total_size,
    /** The server's count, which includes decisions not yet sent. */
    stored: data?.total_size ?? 0,
    error: data === undefined ? error : null,
    refetch: () => void refetch(),
    selected,
    row: place === -1 ? undefined : rows?.[place],
    decisions,
    show,
    turnTo,
    /** Crosses page boundaries; null at the end of the queue. */
    showNext,
    showPrevious: previous !== undefined ? () => show(previous) : page > 0 ? () => followTo(page - 1) : null,
    /** As `showNext`, but to the next one that no other moderator has, if there is one on the page. */
    skip: nextFree !== undefined ? () => show(nextFree) : showNext,
    /** After a decision: shows the next submission that no other moderator has, else the previous one, else any, else none. */
    showRemaining: () => show(nextFree ?? previousFree ?? next ?? previous),
  }
}
