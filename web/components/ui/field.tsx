import { CircleAlert } from 'lucide-react'
import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/utils'
import { Label } from './label.tsx'

function FieldSet({ className, ...props }: ComponentProps<'fieldset'>) {
  return <fieldset data-slot="field-set" className={cn('flex min-w-0 flex-col gap-6', className)} {...props} />
}

function FieldLegend({ className, variant = 'legend', ...props }: ComponentProps<'legend'> & { variant?: 'legend' | 'label' }) {
  return (
    <legend
      data-slot="field-legend"
      data-variant={variant}
      className={cn('mb-1.5 font-medium data-[variant=label]:text-[0.8125rem]/4.5 data-[variant=legend]:text-base', className)}
      {...props}
    />
  )
}

function FieldGroup({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="field-group"
      className={cn(
        'group/field-group @container/field-group flex w-full flex-col gap-7 data-[slot=checkbox-group]:gap-3',
        className,
      )}
      {...props}
    />
  )
}

const fieldVariants = cva('group/field flex', {
  variants: {
    orientation: {
      vertical: 'flex-col gap-1.5',
      horizontal: 'flex-row items-start justify-between gap-6',
      responsive: 'flex-col gap-1.5 @md/field-group:flex-row @md/field-group:items-center',
    },
  },
  defaultVariants: { orientation: 'vertical' },
})

function Field({ className, orientation = 'vertical', ...props }: ComponentProps<'div'> & VariantProps<typeof fieldVariants>) {
  return (
    <div data-slot="field" data-orientation={orientation} className={cn(fieldVariants({ orientation }), className)} {...props} />
  )
}

function FieldContent({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="field-content" className={cn('flex min-w-0 flex-1 flex-col gap-0.5', className)} {...props} />
}

function FieldLabel({ className, ...props }: ComponentProps<typeof Label>) {
  return <Label data-slot="field-label" className={cn('w-fit', className)} {...props} />
}

function FieldTitle({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="field-title"
      className={cn('flex w-fit items-center gap-2 text-[0.8125rem]/4.5 font-medium', className)}
      {...props}
    />
  )
}

function FieldDescription({ className, ...props }: ComponentProps<'p'>) {
  return (
    <p
      data-slot="field-description"
      className={cn('text-xs text-muted-foreground [&>a]:underline [&>a]:underline-offset-4', className)}
      {...props}
    />
  )
}

function FieldError({ className, children, ...props }: ComponentProps<'p'>) {
  if (children === undefined || children === null) return null
  return (
    <p data-slot="field-error" className={cn('flex gap-1.5 text-xs text-destructive', className)} {...props}>
      <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
      {children}
    </p>
  )
}

export { Field, FieldContent, FieldDescription, FieldError, FieldGroup, FieldLabel, FieldLegend, FieldSet, FieldTitle }
