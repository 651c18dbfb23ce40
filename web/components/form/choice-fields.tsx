import { useController } from 'react-hook-form'
import { afterPress } from '@/lib/after-press'
import { CountryPicker } from './country-picker.tsx'
import type { KitField } from './fields.tsx'
import { useFormKit, useKitError } from './form-kit.ts'
import { LabelledField } from './labelled-field.tsx'
import { Segmented, type Segment } from './segmented.tsx'
import { ToggleRow } from './toggle-row.tsx'

function useField(name: string) {
  const { form, readOnly } = useFormKit()
  return { readOnly, field: useController({ control: form.control, name }).field }
}

type SwitchFieldProps<Name extends string> = KitField<Name> & { readonly disabled?: boolean }

/** A switch bound to a boolean, with its error. */
export function SwitchField<Name extends string>({ name, label, help, className, disabled = false }: SwitchFieldProps<Name>) {
  const { readOnly, field } = useField(name)
  const error = useKitError(name)
  return (
    <>
      <ToggleRow
        label={label}
        {...(help !== undefined && { help })}
        {...(className !== undefined && { className })}
        ref={field.ref}
        checked={field.value === true}
        disabled={readOnly || disabled}
        onChange={field.onChange}
      />
      {error !== undefined && (
        <p role="alert" className="text-destructive-strong">
          {error}
        </p>
      )}
    </>
  )
}

type SegmentedFieldProps<Name extends string, Value> = KitField<Name> & {
  readonly segments: readonly Segment<Value>[]
  readonly disabled?: boolean
}

/** A choice of few options. */
export function SegmentedField<Name extends string, Value extends string | number>(props: SegmentedFieldProps<Name, Value>) {
  const { name, label, help, className, segments, disabled = false } = props
  const { readOnly, field } = useField(name)
  return (
    <Segmented
      label={label}
      {...(help !== undefined && { help })}
      {...(className !== undefined && { className })}
      ref={field.ref}
      segments={segments}
      value={field.value as Value}
      disabled={readOnly || disabled}
      onChange={field.onChange}
    />
  )
}

type CountryFieldProps<Name extends string> = KitField<Name> & {
  /** Undefined while they load. */
  readonly countries: readonly { readonly iso_code: string; readonly name: string }[] | undefined
  /** Label of the choice of no country, where there is one. */
  readonly none?: string
  readonly required?: boolean
  /** Shown instead of the field's own error. */
  readonly failure?: string | undefined
}

/** A country by its ISO 3166-1 code, or empty. */
export function CountryField<Name extends string>(props: CountryFieldProps<Name>) {
  const { name, label, help, hint, className, countries, none, required, failure } = props
  const { readOnly, field } = useField(name)
  const error = useKitError(name)
  return (
    <LabelledField label={label} help={help} hint={hint} error={failure ?? error} className={className}>
      <CountryPicker
        ref={field.ref}
        countries={countries}
        label={label}
        disabled={readOnly}
        value={typeof field.value === 'string' ? field.value : ''}
        onPick={field.onChange}
        onBlur={() => afterPress(field.onBlur)}
        {...(none !== undefined && { none })}
        {...(required !== undefined && { required })}
      />
    </LabelledField>
  )
}
