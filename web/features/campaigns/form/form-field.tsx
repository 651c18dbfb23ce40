import type { ComponentProps, ReactNode } from 'react'
import { LabelledField, FieldInput, FieldSelect } from '@/components/form/labelled-field'
import { plainDecimal } from '@/i18n/decimal'
import { symbolOf } from '@/i18n/format'
import { afterPress } from '@/lib/after-press'
import { useCampaignForm, useFieldError, useFormBase, useFormValue } from './campaign-form-context.ts'
import type { CampaignField } from './form-schema.ts'

type Shared = {
  readonly name: CampaignField
  readonly label: string
  readonly help?: string
  readonly hint?: string | undefined
  readonly className?: string
}
type FormInputProps = Shared & Omit<ComponentProps<'input'>, 'name'>

/** A labelled input of the campaign form, with its error. */
export function FormInput({ name, label, help, hint, className, ...props }: FormInputProps) {
  const { register } = useCampaignForm()
  const { readOnly } = useFormBase()
  const error = useFieldError(name)
  const { onBlur, ...field } = register(name)
  return (
    <LabelledField label={label} help={help} hint={hint} error={error} {...(className === undefined ? {} : { className })}>
      <FieldInput
        autoComplete="off"
        readOnly={readOnly}
        {...props}
        {...field}
        onBlur={(event) => afterPress(() => void onBlur(event))}
      />
    </LabelledField>
  )
}

/** An amount in the campaign's currency; on leaving it is rewritten as it was read, so that a misreading would be seen. */
export function FormMoney({ name, label, help, hint, className }: Shared) {
  const { register } = useCampaignForm()
  const { readOnly, currency } = useFormBase()
  const error = useFieldError(name)
  const { onBlur, ...field } = register(name)
  return (
    <LabelledField
      label={label}
      help={help}
      hint={hint}
      error={error}
      unit={currency === null ? undefined : symbolOf(currency)}
      {...(className === undefined ? {} : { className })}
    >
      <FieldInput
        autoComplete="off"
        inputMode="decimal"
        readOnly={readOnly}
        className="tabular-nums"
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

type FormSelectProps = Shared & { readonly children: ReactNode }

export function FormSelect({ name, label, help, hint, className, children }: FormSelectProps) {
  const { register } = useCampaignForm()
  const { readOnly } = useFormBase()
  const error = useFieldError(name)
  // The value is set again on every render: options may come after the value did.
  const value: unknown = useFormValue(name)
  return (
    <LabelledField label={label} help={help} hint={hint} error={error} {...(className === undefined ? {} : { className })}>
      <FieldSelect disabled={readOnly} {...register(name)} value={typeof value === 'string' ? value : ''}>
        {children}
      </FieldSelect>
    </LabelledField>
  )
}
