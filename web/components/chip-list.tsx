import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '../lib/cn.ts'
import { HoverTip } from './hover-tip.tsx'

export type Chip = { readonly id: string; readonly label: string }

/** Up to four are all shown; of more the first three, and how many others there are (decisions G-116). */
export const shownOf = <T,>(all: readonly T[]): readonly T[] => (all.length > 4 ? all.slice(0, 3) : all)

type ChipListProps = {
  /** What the chips are, for those who do not see where they stand. */
  readonly label: string
  readonly chips: readonly Chip[]
  /** Blocked and excluded ones are crossed out as well as coloured. */
  readonly tone?: 'good' | 'bad'
  readonly disabled?: boolean
  readonly onRemove: (id: string) => void
}

export function ChipList({ label, chips, tone = 'good', disabled = false, onRemove }: ChipListProps) {
  const { t } = useTranslation('targeting')
  const [open, setOpen] = useState(false)
  if (chips.length === 0) return null
  const shown = open ? chips : shownOf(chips)
  const hidden = chips.slice(shown.length)
  const folded = 'rounded-control text-ink-soft hover:bg-sunken hover:text-ink text-table h-7 px-2 font-medium'
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {shown.map(({ id, label: name }) => (
        <li
          key={id}
          className="bg-sunken border-hairline rounded-control text-table inline-flex h-7 max-w-60 items-center border"
        >
          <HoverTip text={name}>
            <span className={cn('truncate py-1 pl-2.5', disabled && 'pr-2.5', tone === 'bad' && 'text-bad line-through')}>
              {name}
            </span>
          </HoverTip>
          {!disabled && (
            <button
              type="button"
              aria-label={t('chips.remove', { name })}
              onClick={() => onRemove(id)}
              className="text-ink-soft hover:text-ink grid size-6.5 shrink-0 place-items-center rounded-[5px]"
            >
              <X aria-hidden className="size-3.5" />
            </button>
          )}
        </li>
      ))}
      {hidden.length > 0 && (
        <li>
          <HoverTip text={hidden.map(({ label: name }) => name).join(', ')}>
            <button
              type="button"
              aria-label={t('chips.more', { count: hidden.length })}
              aria-expanded={false}
              className={cn(folded, 'border-hairline border tabular-nums')}
              onClick={() => setOpen(true)}
            >
              +{hidden.length}
            </button>
          </HoverTip>
        </li>
      )}
      {open && shownOf(chips).length < chips.length && (
        <li>
          <button type="button" aria-expanded className={folded} onClick={() => setOpen(false)}>
            {t('chips.fewer')}
          </button>
        </li>
      )}
    </ul>
  )
}
