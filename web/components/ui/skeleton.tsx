import { cn } from '@/lib/utils'

/** A grey stand-in with the size of what is coming. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden data-slot="skeleton" className={cn('bg-border animate-shimmer block h-3 rounded-sm', className)} />
}
