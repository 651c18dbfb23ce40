import { createContext, useContext, useId, useMemo, type ComponentProps, type ReactNode } from 'react'
import { Field, FieldDescription, FieldError, FieldLabel } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { Textarea } from '@/components/ui/textarea'
import { withoutCurrency } from '@/i18n/decimal'
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

export type LabelledFieldProps = {
  readonly label: ReactNode
  readonly help?: ReactNode
  readonly error?: string | undefined
  /** Shown after the label, for example "optional". */
  readonly hint?: ReactNode
  /** Shown inside the control, before the typed text, for example `$`. */
  readonly unit?: string | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Stacks a label, a control, and its help text or error. `FieldInput`, `FieldTextarea` and `FieldSelect` inside it get the ids that tie them together. */
export function LabelledField({ label, help, error, hint, unit, className, children }: LabelledFieldProps) {
  const id = useId()
  const invalid = error !== undefined
  const unitId = unit === undefined ? undefined : `${id}-unit`
  const ids = useMemo(() => ({ id, helpId: `${id}-help`, errorId: `${id}-error`, unitId, invalid }), [id, unitId, invalid])
  return (
    <FieldContext value={ids}>
      <Field data-invalid={invalid || undefined} className={cn(className)}>
        <div className="flex items-baseline justify-between gap-3">
          <FieldLabel htmlFor={id}>{label}</FieldLabel>
          {hint !== undefined && <span className="text-xs text-muted-foreground">{hint}</span>}
        </div>
        {unit === undefined ? (
          children
        ) : (
          // Currencies without a symbol show a code of three letters.
          <div className={cn('relative', unit.length === 1 ? '[&_input]:pl-7' : '[&_input]:pl-14')}>
            <span
              id={unitId}
              className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-muted-foreground select-none"
            >
              {unit}
            </span>
            {children}
          </div>
        )}
        {help !== undefined && !invalid && <FieldDescription id={ids.helpId}>{help}</FieldDescription>}
        {invalid && <FieldError id={ids.errorId}>{error}</FieldError>}
      </Field>
    </FieldContext>
  )
}

/** The ids that tie a control to the label, help and error of the `LabelledField` around it. */
export function useControlProps() {
  const field = useContext(FieldContext)
  if (field === null) return {}
  return {
    id: field.id,
    'aria-invalid': field.invalid,
    'aria-describedby': [field.invalid ? field.errorId : field.helpId, field.unitId].filter(Boolean).join(' '),
  }
}

export function FieldInput(props: ComponentProps<'input'>) {
  return <Input {...useControlProps()} {...props} />
}

type AmountInputProps = ComponentProps<'input'> & {
  /** ISO 4217; null while unknown. Its sign and code are taken off what is typed or pasted. */
  readonly currency: string | null
}

/** An amount as people type it: `$75` becomes 75 at once. */
export function AmountInput({ currency, onChange, className, ...props }: AmountInputProps) {
  return (
    <FieldInput
      autoComplete="off"
      inputMode="decimal"
      className={cn('tabular-nums', className)}
      {...props}
      onChange={(event) => {
        const bare = currency === null ? event.target.value : withoutCurrency(event.target.value, currency)
        if (bare !== event.target.value) event.target.value = bare
        onChange?.(event)
      }}
    />
  )
}

export function FieldTextarea(props: ComponentProps<'textarea'>) {
  return <Textarea {...useControlProps()} {...props} />
}

export function FieldSelect(props: ComponentProps<'select'>) {
  return (
    <div className="*:w-full">
      <NativeSelect {...useControlProps()} {...props} />
    </div>
  )
}
