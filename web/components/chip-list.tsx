import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '@/lib/utils'
import { useFocusNext } from '@/lib/use-focus-next'
import { HoverTip } from './hover-tip.tsx'
import '@/i18n/texts/controls'

export type Chip = { readonly id: string; readonly label: string }

/** Shows up to four chips. With more, the first three and the number of the others (decisions G-116). */
const shownOf = <T,>(all: readonly T[]): readonly T[] => (all.length > 4 ? all.slice(0, 3) : all)

type ChipListProps = {
  /** Accessible name of the list. */
  readonly label: string
  readonly chips: readonly Chip[]
  /** Blocked and excluded items are crossed out as well as coloured. */
  readonly tone?: 'good' | 'bad'
  readonly disabled?: boolean
  readonly onRemove: (id: string) => void
  /** Receives the focus after the last chip is removed. */
  readonly onEmpty: () => void
}

export function ChipList({ label, chips, tone = 'good', disabled = false, onRemove, onEmpty }: ChipListProps) {
  const { t } = useTranslation('controls')
  const [open, setOpen] = useState(false)
  const { container, focusNext } = useFocusNext<HTMLUListElement>()
  if (chips.length === 0) return null
  const folded = shownOf(chips)
  const shown = open ? chips : folded
  const hidden = chips.slice(shown.length)

  const take = (id: string) => {
    const place = chips.findIndex((chip) => chip.id === id)
    const beside = [chips[place + 1], chips[place - 1]].flatMap((chip) => chip?.id ?? [])
    onRemove(id)
    if (beside.length > 0) focusNext(...beside)
    else onEmpty()
  }
  return (
    <ul ref={container} aria-label={label} className="flex min-w-0 flex-wrap gap-1.5">
      {shown.map(({ id, label: name }) => (
        <li
          key={id}
          className="bg-muted border-border rounded-md text-[0.8125rem]/4.5 inline-flex h-7 max-w-60 items-center border"
        >
          <HoverTip text={name}>
            <span className={cn('truncate py-1 pl-2.5', disabled && 'pr-2.5', tone === 'bad' && 'text-destructive line-through')}>
              {name}
            </span>
          </HoverTip>
          {!disabled && (
            <button
              type="button"
              data-focus={id}
              aria-label={t('chips.remove', { name })}
              onClick={() => take(id)}
              className="text-muted-foreground hover:text-foreground grid size-6.5 shrink-0 place-items-center rounded-[5px]"
            >
              <X aria-hidden className="size-3.5" />
            </button>
          )}
        </li>
      ))}
      {folded.length < chips.length && (
        <li>
          <HoverTip text={open ? null : hidden.map(({ label: name }) => name).join(', ')}>
            <button
              type="button"
              aria-label={open ? undefined : t('chips.more', { count: hidden.length })}
              aria-expanded={open}
              className="rounded-md text-muted-foreground hover:bg-muted hover:text-foreground text-[0.8125rem]/4.5 border-border h-7 border px-2 font-medium tabular-nums"
              onClick={() => setOpen(!open)}
            >
              {open ? t('chips.fewer') : `+${hidden.length}`}
            </button>
          </HoverTip>
        </li>
      )}
    </ul>
  )
}
