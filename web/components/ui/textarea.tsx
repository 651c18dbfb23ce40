import type { ComponentProps } from 'react'
import { cn } from '@/lib/utils'

function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      data-slot="textarea"
      dir="auto"
      className={cn(
        'h-24 resize-y py-2 w-full min-w-0 rounded-md border border-input bg-card px-3 text-sm text-foreground transition-colors placeholder:text-muted-foreground enabled:hover:border-muted-foreground focus-visible:-outline-offset-1 focus-visible:border-ring disabled:bg-muted disabled:text-muted-foreground aria-invalid:border-destructive read-only:border-border read-only:bg-muted',
        className,
      )}
      {...props}
    />
  )
}

export { Textarea }
