import type { ComponentProps } from 'react'
import { cn } from '@/lib/utils'

/** A grey placeholder with the size of the loading content. */
function Skeleton({ className, ...props }: ComponentProps<'span'>) {
  return (
    <span
      aria-hidden
      data-slot="skeleton"
      className={cn('block h-3 animate-shimmer rounded-sm bg-border', className)}
      {...props}
    />
  )
}

export { Skeleton }
