import { cn } from '@/lib/cn'

/** A grey stand-in with the size of what is coming. */
export function Skeleton({ className }: { readonly className?: string }) {
  return (
    <span aria-hidden data-slot="skeleton" className={cn('bg-hairline animate-shimmer block h-3 rounded-[4px]', className)} />
  )
}
