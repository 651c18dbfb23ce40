import type { ComponentProps, ReactNode } from 'react'
import { plainDecimal } from '@/i18n/decimal'
import { symbolOf } from '@/i18n/format'
import { afterPress } from '@/lib/after-press'
import { useFieldHint, useFormKit, useKitError, useKitValue } from './form-kit.ts'
import { AmountInput, FieldInput, FieldSelect, FieldTextarea, LabelledField } from './labelled-field.tsx'

/** Properties of every field of the form kit. `Name` narrows the paths to those of one form. */
export type KitField<Name extends string = string> = {
  readonly name: Name
  readonly label: string
  readonly help?: string
  readonly hint?: string | undefined
  readonly className?: string
}

type TextFieldProps<Name extends string> = KitField<Name> &
  Omit<ComponentProps<'input'>, 'name'> & {
    /** Class of the input, while `className` is the field's. */
    readonly inputClassName?: string | undefined
    /** Shown inside the input, before the typed text. */
    readonly unit?: string | undefined
  }

/** A labelled input of the form, with its error. */
export function TextField<Name extends string>({
  name,
  label,
  help,
  hint,
  unit,
  className,
  inputClassName,
  ...props
}: TextFieldProps<Name>) {
  const { form, readOnly } = useFormKit()
  const error = useKitError(name)
  const { onBlur, ...field } = form.register(name)
  return (
    <LabelledField label={label} help={help} hint={useFieldHint(name, hint)} error={error} unit={unit} className={className}>
      <FieldInput
        autoComplete="off"
        readOnly={readOnly}
        className={inputClassName}
        {...props}
        {...field}
        onBlur={(event) => afterPress(() => void onBlur(event))}
      />
    </LabelledField>
  )
}

/** Words of several lines, with their error. */
export function TextareaField<Name extends string>({
  name,
  label,
  help,
  hint,
  className,
  ...props
}: KitField<Name> & Omit<ComponentProps<'textarea'>, 'name'>) {
  const { form, readOnly } = useFormKit()
  const error = useKitError(name)
  const { onBlur, ...field } = form.register(name)
  return (
    <LabelledField label={label} help={help} hint={useFieldHint(name, hint)} error={error} className={className}>
      <FieldTextarea readOnly={readOnly} {...props} {...field} onBlur={(event) => afterPress(() => void onBlur(event))} />
    </LabelledField>
  )
}

type MoneyFieldProps<Name extends string> = KitField<Name> & { readonly disabled?: boolean }

/** An amount in the form's currency. On blur it shows the amount as it was parsed, so that a misreading is visible. */
export function MoneyField<Name extends string>({ name, label, help, hint, className, disabled }: MoneyFieldProps<Name>) {
  const { form, readOnly, currency } = useFormKit()
  const error = useKitError(name)
  const { onBlur, ...field } = form.register(name)
  return (
    <LabelledField
      label={label}
      help={help}
      hint={useFieldHint(name, hint)}
      error={error}
      unit={currency === null ? undefined : symbolOf(currency)}
      className={className}
    >
      <AmountInput
        currency={currency}
        readOnly={readOnly}
        disabled={disabled}
        {...field}
        onBlur={(event) => {
          const plain = plainDecimal(event.target.value)
          if (plain !== event.target.value) event.target.value = plain
          afterPress(() => void onBlur(event))
        }}
      />
    </LabelledField>
  )
}

type SelectFieldProps<Name extends string> = KitField<Name> & {
  readonly disabled?: boolean
  /** Shown instead of the field's value, which may be empty for a default. */
  readonly shown?: string
  readonly children: ReactNode
}

/** A choice of the form, with its error. */
export function SelectField<Name extends string>({
  name,
  label,
  help,
  hint,
  className,
  disabled,
  shown,
  children,
}: SelectFieldProps<Name>) {
  const { form, readOnly } = useFormKit()
  const error = useKitError(name)
  // The value is set on every render, because options may load after it.
  const value = useKitValue(name)
  return (
    <LabelledField label={label} help={help} hint={useFieldHint(name, hint)} error={error} className={className}>
      <FieldSelect
        disabled={readOnly || disabled === true}
        {...form.register(name)}
        value={shown ?? (typeof value === 'string' ? value : '')}
      >
        {children}
      </FieldSelect>
    </LabelledField>
  )
}

/** A checkbox bound to a boolean. */
export function CheckField<Name extends string>({ name, label, help }: KitField<Name>) {
  const { form, readOnly } = useFormKit()
  return (
    <div>
      <label className="flex min-h-7 w-fit items-center gap-2.5">
        <input type="checkbox" disabled={readOnly} className="size-4 accent-primary" {...form.register(name)} />
        {label}
      </label>
      {help !== undefined && <p className="pl-6.5 text-xs text-muted-foreground">{help}</p>}
    </div>
  )
}
