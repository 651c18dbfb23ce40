import { ArrowDown, ArrowUp } from 'lucide-react'
import { cn } from '@/lib/utils'

type SortHeaderProps = {
  readonly label: string
  readonly sorted: 'asc' | 'desc' | null
  readonly numeric?: boolean
  readonly className?: string | undefined
  readonly onSort: () => void
}

const ARIA = { asc: 'ascending', desc: 'descending' } as const

export function SortHeader({ label, sorted, numeric = false, className, onSort }: SortHeaderProps) {
  const Arrow = sorted === 'asc' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={sorted === null ? 'none' : ARIA[sorted]}
      className={cn('px-2 font-medium', numeric && 'text-right', className)}
    >
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
    </th>
  )
}
