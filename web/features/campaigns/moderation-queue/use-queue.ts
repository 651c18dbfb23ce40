import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePageInRange } from '@/components/data-table/use-list-page'
import { moderationQueries, QUEUE_PAGE_SIZE } from '@/data/moderation-queries'
import { campaignQueries } from '@/data/campaign-queries'
import type { OnQueueSearch, QueueSearch } from './queue-search.ts'
import { useApprovals } from './use-approvals.tsx'

/**
 * Returns the waiting submissions, the selected one, and the navigation between them. `onFollow` is called after automatic
 * navigation, not after a choice from the list.
 */
export function useQueue({ id, page }: QueueSearch, onSearch: OnQueueSearch, onFollow: () => void) {
  const { data, error, refetch } = useQuery(moderationQueries.queue(page))
  // Default: the first of the page, or the last after stepping back from the next page. It stays selected when the queue changes,
  // so that the viewed submission is never replaced.
  const [fromBehind, setFromBehind] = useState(false)
  const [first, setFirst] = useState<{ readonly page: number; readonly id: string } | null>(null)
  const show = (next: string | undefined) => {
    onFollow()
    if (next === undefined) setFirst(null)
    onSearch(next === undefined ? { page } : { page, id: next })
  }
  const approvals = useApprovals(show)
  const rows = data?.data.filter(
    (row) => !approvals.isDecided({ id: row.campaign_id, moderation_start_at: row.moderation_start_at }),
  )
  const top = rows?.at(fromBehind ? -1 : 0)?.campaign_id
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

  // Prefetch the next submission and keep it fresh, so that it renders immediately.
  useQuery({ ...campaignQueries.detail(next ?? ''), enabled: next !== undefined, notifyOnChangeProps: [] })

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
    approvals,
    show,
    turnTo,
    /** Crosses page boundaries; null at the end of the queue. */
    showNext: next !== undefined ? () => show(next) : page + 1 < pages ? () => followTo(page + 1) : null,
    showPrevious: previous !== undefined ? () => show(previous) : page > 0 ? () => followTo(page - 1) : null,
    /** After a decision: shows the next submission, else the previous one, else none. */
    showRemaining: () => show(next ?? previous),
  }
}
