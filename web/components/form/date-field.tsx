import { useController } from 'react-hook-form'
import { DateInput } from '@/components/date/date-input'
import { afterPress } from '@/lib/after-press'
import type { KitField } from './fields.tsx'
import { useFieldHint, useFormKit, useKitError } from './form-kit.ts'
import { LabelledField } from './labelled-field.tsx'

type DateFieldProps<Name extends string> = KitField<Name> & {
  /** YYYY-MM-DD: the calendar offers no earlier day. */
  readonly min?: string
}

/** A day of the form, YYYY-MM-DD or empty; text that is no day stays as it was typed. */
export function DateField<Name extends string>({ name, label, help, hint, className, min }: DateFieldProps<Name>) {
  const { form, readOnly } = useFormKit()
  const error = useKitError(name)
  const { ref, value, onChange, onBlur } = useController({ control: form.control, name }).field
  return (
    <LabelledField label={label} help={help} hint={useFieldHint(name, hint)} error={error} className={className}>
      <DateInput
        ref={ref}
        name={name}
        label={label}
        readOnly={readOnly}
        value={typeof value === 'string' ? value : ''}
        onChange={onChange}
        onBlur={() => afterPress(onBlur)}
        {...(min !== undefined && { min })}
      />
    </LabelledField>
  )
}
