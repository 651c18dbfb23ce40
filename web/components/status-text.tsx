import { useTranslation } from 'react-i18next'
import { toneInk, StatusDot } from './ui/status-dot.tsx'
import { statusName, statusTone } from '@/data/campaign-status'
import { cn } from '@/lib/utils'

type StatusTextProps = { readonly statusKey: number; readonly className?: string }

export function StatusText({ statusKey, className }: StatusTextProps) {
  const { t } = useTranslation('status')
  const tone = statusTone(statusKey)
  return (
    <span data-slot="status" className={cn('inline-flex items-center gap-1.5 font-medium', toneInk(tone), className)}>
      <StatusDot tone={tone} />
      {t(`label.${statusName(statusKey)}`)}
    </span>
  )
}
