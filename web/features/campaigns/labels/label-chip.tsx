import { useTranslation } from 'react-i18next'
import type { Label } from '#contract/labels'
import { HoverTip } from '@/components/hover-tip'
import { cn } from '@/lib/utils'
import { TONES } from './label-colors.ts'
import '@/i18n/texts/labels'

type Mark = 'kept' | 'added' | 'removed'

type LabelChipProps = {
  readonly label: Pick<Label, 'name' | 'color'>
  /** Effect of a change on it. */
  readonly mark?: Mark
  readonly tip?: string | null
}

/** A label: its name, after a dot of its colour. */
export function LabelChip({ label: { name, color }, mark = 'kept', tip = null }: LabelChipProps) {
  const { t } = useTranslation('labels')
  return (
    <HoverTip text={tip}>
      <span
        className={cn(
          'border-border inline-flex max-w-48 items-center gap-1.5 rounded-full border px-2 py-px text-xs/4',
          mark === 'added' && 'border-primary-ink font-medium',
          mark === 'removed' && 'text-muted-foreground border-dashed',
        )}
      >
        <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ backgroundColor: TONES[color] }} />
        {mark !== 'kept' && <span className="sr-only">{t(`marks.${mark}`)} </span>}
        {mark === 'added' && <span aria-hidden>+</span>}
        <span className={cn('truncate', mark === 'removed' && 'line-through')}>{name}</span>
      </span>
    </HoverTip>
  )
}

/** Labels of a campaign; nothing without one. */
export function LabelChips({ labels }: { readonly labels: readonly (Label & { readonly tip?: string })[] }) {
  const { t } = useTranslation('labels')
  if (labels.length === 0) return null
  return (
    <ul aria-label={t('title')} className="flex flex-wrap gap-1">
      {labels.map((label) => (
        <li key={label.id} className="min-w-0">
          <LabelChip label={label} tip={label.tip ?? null} />
        </li>
      ))}
    </ul>
  )
}
