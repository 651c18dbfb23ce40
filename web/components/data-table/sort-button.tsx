import { ArrowDown, ArrowUp } from 'lucide-react'
import { HoverTip } from '../hover-tip.tsx'
import { cn } from '@/lib/utils'
import type { Direction } from './table-view.ts'

type SortButtonProps = {
  readonly label: string
  readonly hint?: string | null
  readonly sorted: Direction | null
  readonly numeric: boolean
  readonly onSort: () => void
}

/** A sortable column heading. Its cell carries `aria-sort`. */
export function SortButton({ label, hint = null, sorted, numeric, onSort }: SortButtonProps) {
  const Arrow = sorted === 'asc' ? ArrowUp : ArrowDown
  return (
    <HoverTip text={hint}>
      <button
        type="button"
        onClick={onSort}
        className={cn(
          'group rounded-md hover:text-foreground inline-flex h-7 items-center gap-1 px-1.5',
          numeric ? '-mr-1.5 flex-row-reverse' : '-ml-1.5',
          sorted !== null && 'text-foreground',
        )}
      >
        {label}
        <Arrow
          aria-hidden
          className={cn(
            'size-3.5 transition-opacity',
            sorted === null && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60',
          )}
        />
      </button>
    </HoverTip>
  )
}
