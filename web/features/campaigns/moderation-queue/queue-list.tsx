import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueuedSubmission } from '#contract/moderation'
import { Skeleton } from '@/components/ui/skeleton'
import { formatDistance } from '@/i18n/format'
import { cn } from '@/lib/utils'
import { DueTime } from '@/components/due-time'
import { HolderChips } from './holder-chips.tsx'
import type { QueueSearch } from './queue-search.ts'
import { SubmissionChips } from './submission-chips.tsx'

type QueueListProps = {
  /** Undefined while loading. */
  readonly rows: readonly QueuedSubmission[] | undefined
  readonly selected: string | undefined
  readonly search: Pick<QueueSearch, 'page' | 'filter'>
  readonly now: number
}

export function QueueList({ rows, selected, search, now }: QueueListProps) {
  const { t } = useTranslation('moderation')
  if (rows === undefined)
    return (
      <div aria-busy className="flex flex-col">
        {[1, 2, 3, 4, 5, 6].map((row) => (
          <div key={row} className="border-border flex flex-col gap-2.5 border-b px-4 py-4">
            <Skeleton className="w-3/5" />
            <Skeleton className="w-4/5" />
          </div>
        ))}
      </div>
    )
  return (
    <ul aria-label={t('list')}>
      {rows.map((row) => (
        <li key={row.campaign_id} className="border-border border-b last:border-0">
          <QueueRow row={row} selected={row.campaign_id === selected} search={search} now={now} />
        </li>
      ))}
    </ul>
  )
}

type QueueRowProps = {
  readonly row: QueuedSubmission
  readonly selected: boolean
  readonly search: Pick<QueueSearch, 'page' | 'filter'>
  readonly now: number
}

function QueueRow({ row, selected, search: { page, filter }, now }: QueueRowProps) {
  const { t } = useTranslation('moderation')
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (selected && link.current !== null) showWithin(link.current.closest('[data-slot=queue]'), link.current)
  }, [selected])
  return (
    <Link
      ref={link}
      to="/moderation"
      search={{ page, filter, id: row.campaign_id }}
      resetScroll={false}
      // The first submission of a page is selected without an id in the URL.
      aria-current={selected ? 'true' : undefined}
      className={cn(
        'relative flex flex-col gap-1 px-4 py-3 transition-colors outline-offset-[-2px]',
        selected
          ? 'bg-primary-tint before:bg-primary-ink before:absolute before:inset-y-0 before:left-0 before:w-[3px]'
          : 'hover:bg-muted',
      )}
    >
      <span className="text-[0.8125rem]/4.5 flex items-baseline justify-between gap-3">
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{row.campaign_name}</span>
        <DueTime submission={row} now={now} />
      </span>
      <span className="text-muted-foreground text-xs">{`${row.space_name} · ${formatDistance(row.moderation_start_at, now)}`}</span>
      <span className="text-muted-foreground text-xs flex flex-wrap items-center gap-x-2 gap-y-1">
        {row.creatives === 0 ? t('noCreatives') : t('creatives', { count: row.creatives })}
        <SubmissionChips submission={row} />
        <HolderChips submission={row} now={now} />
      </span>
    </Link>
  )
}

/** Scrolls only the list. In a narrow window the submission is below it and must stay in place. */
function showWithin(list: Element | null, row: Element) {
  if (list === null) return
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()]
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom
}
