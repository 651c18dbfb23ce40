import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/utils'

const notice = cva('rounded-lg flex gap-3 px-4 py-3 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0', {
  variants: {
    tone: {
      good: 'bg-success-tint [&>svg]:text-success',
      warn: 'bg-warning-tint [&>svg]:text-warning',
      bad: 'bg-destructive-tint [&>svg]:text-destructive',
      idle: 'bg-muted [&>svg]:text-muted-foreground',
    },
  },
  defaultVariants: { tone: 'idle' },
})

/** A persistent message in the page, with an icon for its tone. */
export function Notice({ tone, className, ...props }: ComponentProps<'div'> & VariantProps<typeof notice>) {
  return <div data-slot="notice" className={cn(notice({ tone }), className)} {...props} />
}
