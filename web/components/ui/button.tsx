import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

const buttonVariants = cva(
  'rounded-control text-body inline-flex shrink-0 items-center justify-center gap-2 font-medium whitespace-nowrap transition-colors select-none disabled:opacity-55 aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-accent text-on-accent enabled:hover:bg-accent-strong',
        secondary: 'border-hairline bg-surface text-ink enabled:hover:border-edge enabled:hover:bg-sunken border shadow-xs',
        ghost: 'text-ink-soft enabled:hover:bg-sunken enabled:hover:text-ink',
        danger: 'bg-bad dark:text-canvas enabled:hover:bg-bad-strong text-white',
      },
      size: { default: 'h-9 px-3.5', small: 'text-table h-8 px-2.5', icon: 'size-8' },
    },
    defaultVariants: { variant: 'primary', size: 'default' },
  },
)

type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonVariants> & { asChild?: boolean }

export function Button({ className, variant, size, asChild = false, type = 'button', ...props }: ButtonProps) {
  const Element = asChild ? Slot.Root : 'button'
  return (
    <Element
      data-slot="button"
      {...(asChild ? {} : { type })}
      className={cn(buttonVariants({ variant, size }), className)}
      {...props}
    />
  )
}
