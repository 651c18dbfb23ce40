import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

const notice = cva('rounded-card flex gap-3 px-4 py-3 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0', {
  variants: {
    tone: {
      good: 'bg-good-tint [&>svg]:text-good',
      warn: 'bg-warn-tint [&>svg]:text-warn',
      bad: 'bg-bad-tint [&>svg]:text-bad',
      idle: 'bg-sunken [&>svg]:text-ink-soft',
    },
  },
  defaultVariants: { tone: 'idle' },
})

/** A message that stays in the page, with an icon of its tone. */
export function Notice({ tone, className, ...props }: ComponentProps<'div'> & VariantProps<typeof notice>) {
  return <div data-slot="notice" className={cn(notice({ tone }), className)} {...props} />
}
