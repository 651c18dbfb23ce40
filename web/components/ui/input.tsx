import type { ComponentProps } from 'react'
import { cn } from '@/lib/utils'

/** Longest text of a field that sets no limit of its own (platform.md §5). */
const LONGEST_TEXT = 5000

function Input({ className, maxLength = LONGEST_TEXT, ...props }: ComponentProps<'input'>) {
  return (
    <input
      data-slot="input"
      dir="auto"
      className={cn(
        'h-9 w-full min-w-0 rounded-md border border-input bg-card px-3 text-sm text-foreground transition-colors placeholder:text-muted-foreground enabled:hover:border-muted-foreground focus-visible:-outline-offset-1 focus-visible:border-ring disabled:bg-muted disabled:text-muted-foreground aria-invalid:border-destructive read-only:border-border read-only:bg-muted file:inline-flex file:h-7 file:border-0 file:bg-transparent file:text-sm file:font-medium',
        className,
      )}
      maxLength={maxLength}
      {...props}
    />
  )
}

export { Input }
