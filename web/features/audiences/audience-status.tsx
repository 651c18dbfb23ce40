import { AUDIENCE_STATUS } from '#domain/audience/audience-status'
import { useTranslation } from 'react-i18next'
import type { AudienceItem } from '#contract/audiences'
import { SMALLEST_SERVED } from '#domain/audience/audience'
import { StatusDot, toneInk } from '@/components/ui/status-dot'
import { cn } from '@/lib/utils'

/** Orange, green and red (platform.md §3). */
const TONES = { 1: 'warn', 2: 'good', 3: 'bad' } as const

type AudienceStatusProps = {
  readonly statusKey: AudienceItem['status_key']
  /** Members now, where it matters whether they are enough. */
  readonly members?: number
}

export function AudienceStatus({ statusKey, members = SMALLEST_SERVED }: AudienceStatusProps) {
  const { t } = useTranslation('audiences')
  const tone = TONES[statusKey]
  return (
    <>
      <span data-slot="status" data-tone={tone} className={cn('inline-flex items-center gap-1.5 font-medium', toneInk(tone))}>
        <StatusDot tone={tone} />
        {t(`statuses.${statusKey}`)}
      </span>
      {statusKey === AUDIENCE_STATUS.ready && members < SMALLEST_SERVED && (
        <span className="text-muted-foreground block text-xs whitespace-normal">{t('small')}</span>
      )}
    </>
  )
}
