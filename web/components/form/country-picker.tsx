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
  /** Gets an empty code for `none`. */
  readonly onPick: (code: string) => void
  /** Label of the choice of no country, where there is one. */
  readonly none?: string
  readonly onBlur?: () => void
  readonly name?: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** No country code is like it. */
const NONE = 'none'

/** A country, found by its name or code, inside a `LabelledField`. */
export function CountryPicker(props: CountryPickerProps) {
  const { countries, label, value, onPick, none, onBlur, name, required, disabled, ref } = props
  const { t } = useTranslation('controls')
  const options = useMemo(() => {
    const all = countries?.map(({ iso_code: code, name: country }) => ({ id: code, label: country, keyword: code })) ?? []
    return none === undefined ? all : [{ id: NONE, label: none, keyword: '' }, ...all]
  }, [countries, none])
  return (
    <Picker
      label={label}
      options={options}
      chosen={new Set([value === '' ? NONE : value])}
      chosenLabel={options.find(({ id }) => id === value)?.label ?? value}
      onPick={(id) => onPick(id === NONE ? '' : id)}
      nothing={t(countries === undefined ? 'country.loading' : 'country.nothing')}
      disabled={disabled ?? false}
      control={{ ...useControlProps(), name, required, onBlur, placeholder: t('country.pick'), autoComplete: 'country-name' }}
      {...(ref === undefined ? {} : { ref })}
    />
  )
}
