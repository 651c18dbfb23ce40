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
  const { ref, value, onChange, onBlur } = useController({ control: form.control, name }).field
  return { readOnly, ref, value: value as unknown, onChange, onBlur }
}

type SwitchFieldProps<Name extends string> = KitField<Name> & { readonly disabled?: boolean }

/** A switch bound to a boolean, with its error. */
export function SwitchField<Name extends string>({ name, label, help, className, disabled = false }: SwitchFieldProps<Name>) {
  const { readOnly, ref, value, onChange } = useField(name)
  const error = useKitError(name)
  return (
    <>
      <ToggleRow
        label={label}
        {...(help !== undefined && { help })}
        {...(className !== undefined && { className })}
        ref={ref}
        checked={value === true}
        disabled={readOnly || disabled}
        onChange={onChange}
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
  const { readOnly, ref, value, onChange } = useField(name)
  return (
    <Segmented
      label={label}
      {...(help !== undefined && { help })}
      {...(className !== undefined && { className })}
      ref={ref}
      segments={segments}
      value={value as Value}
      disabled={readOnly || disabled}
      onChange={onChange}
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
  const { readOnly, ref, value, onChange, onBlur } = useField(name)
  const error = useKitError(name)
  return (
    <LabelledField label={label} help={help} hint={hint} error={failure ?? error} className={className}>
      <CountryPicker
        ref={ref}
        countries={countries}
        label={label}
        disabled={readOnly}
        value={typeof value === 'string' ? value : ''}
        onPick={onChange}
        onBlur={() => afterPress(onBlur)}
        {...(none !== undefined && { none })}
        {...(required !== undefined && { required })}
      />
    </LabelledField>
  )
}
