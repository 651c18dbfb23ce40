import type { ComponentProps } from 'react'
import { cn } from '@/lib/utils'

/** A key, styled as on a keyboard. */
export function Kbd({ className, ...props }: ComponentProps<'kbd'>) {
  return (
    <kbd
      data-slot="kbd"
      className={cn(
        'inline-grid h-[18px] min-w-[18px] place-items-center rounded-sm border border-current/35 px-1 font-sans text-[11px] leading-none font-medium',
        className,
      )}
      {...props}
    />
  )
}
