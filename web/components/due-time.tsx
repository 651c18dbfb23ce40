import { Clock, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { QueuedSubmission } from '#contract/moderation'
import { reviewTimeUsed } from '#domain/campaign/review/review-time'
import { formatDistance } from '@/i18n/format'
import { cn } from '@/lib/utils'
import '@/i18n/texts/moderation'

/** A submission is urgent after this fraction of its time. */
const HURRY = 0.75

type DueTimeProps = { readonly submission: Pick<QueuedSubmission, 'moderation_start_at' | 'due_at'>; readonly now: number }

/** Shows when the decision is due. The colour only repeats the text. */
export function DueTime({ submission: { moderation_start_at, due_at }, now }: DueTimeProps) {
  const { t } = useTranslation('moderation')
  const late = Date.parse(due_at) <= now
  const hurry = reviewTimeUsed(moderation_start_at, now) >= HURRY
  const Icon = late ? TriangleAlert : Clock
  return (
    <span
      data-urgency={late ? 'late' : hurry ? 'soon' : 'calm'}
      className={cn(
        'text-xs inline-flex shrink-0 items-center gap-1 whitespace-nowrap tabular-nums',
        late ? 'text-destructive font-medium' : hurry ? 'text-warning font-medium' : 'text-muted-foreground',
      )}
    >
      <Icon aria-hidden className="size-3" />
      {t(late ? 'overdue' : 'due', { time: formatDistance(due_at, now) })}
    </span>
  )
}
