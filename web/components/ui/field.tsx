import { CircleAlert } from 'lucide-react'
import { createContext, useContext, useId, useMemo, type ComponentProps, type ReactNode } from 'react'
import { cn } from '@/lib/utils'

type FieldIds = {
  readonly id: string
  readonly helpId: string
  readonly errorId: string
  /** Undefined where the control has no unit. */
  readonly unitId: string | undefined
  readonly invalid: boolean
}
const FieldContext = createContext<FieldIds | null>(null)

type FieldProps = {
  readonly label: ReactNode
  readonly help?: ReactNode
  readonly error?: string | undefined
  /** Shown after the label, for what may stay empty. */
  readonly hint?: ReactNode
  /** Shown within the control, before what is typed: `$`. */
  readonly unit?: string | undefined
  readonly className?: string
  readonly children: ReactNode
}

/** Label above, help under it, then the control, then its error: the anatomy of every field. */
export function Field({ label, help, error, hint, unit, className, children }: FieldProps) {
  const id = useId()
  const invalid = error !== undefined
  const unitId = unit === undefined ? undefined : `${id}-unit`
  const ids = useMemo(() => ({ id, helpId: `${id}-help`, errorId: `${id}-error`, unitId, invalid }), [id, unitId, invalid])
  return (
    <FieldContext value={ids}>
      <div data-slot="field" data-invalid={invalid || undefined} className={cn('flex flex-col gap-1.5', className)}>
        <div className="flex items-baseline justify-between gap-3">
          <label htmlFor={id} className="text-[0.8125rem]/4.5 font-medium">
            {label}
          </label>
          {hint !== undefined && <span className="text-muted-foreground text-xs">{hint}</span>}
        </div>
        {unit === undefined ? (
          children
        ) : (
          // A symbol, or three letters where the currency has none.
          <div className={cn('relative', unit.length === 1 ? '[&_.control]:pl-7' : '[&_.control]:pl-14')}>
            <span
              id={ids.unitId}
              className="text-muted-foreground pointer-events-none absolute inset-y-0 left-3 grid place-items-center select-none"
            >
              {unit}
            </span>
            {children}
          </div>
        )}
        {help !== undefined && !invalid && (
          <p id={ids.helpId} className="text-muted-foreground text-xs">
            {help}
          </p>
        )}
        {invalid && (
          <p id={ids.errorId} className="text-destructive text-xs flex gap-1.5">
            <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
            {error}
          </p>
        )}
      </div>
    </FieldContext>
  )
}

function useControlProps() {
  const field = useContext(FieldContext)
  if (field === null) return {}
  return {
    id: field.id,
    'aria-invalid': field.invalid,
    'aria-describedby': [field.invalid ? field.errorId : field.helpId, field.unitId].filter(Boolean).join(' '),
  }
}

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input data-slot="input" {...useControlProps()} className={cn('control', className)} {...props} />
}

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea data-slot="textarea" {...useControlProps()} className={cn('control h-24 resize-y py-2', className)} {...props} />
  )
}

/** The platform's own select: keyboard, type-ahead and screen readers work as people expect. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return <select data-slot="select" {...useControlProps()} className={cn('control select-arrow pr-8', className)} {...props} />
}
