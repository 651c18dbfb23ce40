import { useMemo, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { Picker } from '@/components/picker/picker'
import { useControlProps } from './labelled-field.tsx'

type CountryPickerProps = {
  /** Undefined while they load. */
  readonly countries: readonly { readonly iso_code: string; readonly name: string }[] | undefined
  readonly label: string
  /** ISO 3166-1 code, or empty. */
  readonly value: string
  readonly onPick: (code: string) => void
  readonly onBlur?: () => void
  readonly name?: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** A country, found by its name or code, inside a `LabelledField`. */
export function CountryPicker({ countries, label, value, onPick, onBlur, name, required, disabled, ref }: CountryPickerProps) {
  const { t } = useTranslation('controls')
  const options = useMemo(
    () => countries?.map(({ iso_code: code, name: country }) => ({ id: code, label: country, keyword: code })) ?? [],
    [countries],
  )
  return (
    <Picker
      label={label}
      options={options}
      chosen={new Set([value])}
      chosenLabel={options.find(({ id }) => id === value)?.label ?? value}
      onPick={onPick}
      nothing={t(countries === undefined ? 'country.loading' : 'country.nothing')}
      disabled={disabled ?? false}
      control={{ ...useControlProps(), name, required, onBlur, placeholder: t('country.pick'), autoComplete: 'country-name' }}
      {...(ref === undefined ? {} : { ref })}
    />
  )
}
