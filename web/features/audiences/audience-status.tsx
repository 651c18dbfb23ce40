import { useTranslation } from 'react-i18next'
import type { AudienceItem } from '#contract/audiences'
import { StatusDot, toneInk } from '@/components/ui/status-dot'
import { cn } from '@/lib/utils'

/** Orange, green and red (platform.md §3). */
const TONES = { 1: 'warn', 2: 'good', 3: 'bad' } as const

export function AudienceStatus({ statusKey }: { readonly statusKey: AudienceItem['status_key'] }) {
  const { t } = useTranslation('audiences')
  const tone = TONES[statusKey]
  return (
    <span data-slot="status" data-tone={tone} className={cn('inline-flex items-center gap-1.5 font-medium', toneInk(tone))}>
      <StatusDot tone={tone} />
      {t(`statuses.${statusKey}`)}
    </span>
  )
}
