import type { ComponentProps } from 'react'
import { FieldSelect } from './labelled-field.tsx'

type CountrySelectProps = Omit<ComponentProps<typeof FieldSelect>, 'children' | 'value'> & {
  readonly countries: readonly { readonly iso_code: string; readonly name: string }[] | undefined
  /** ISO 3166-1 alpha-2, or empty. */
  readonly value: string
  /** Shown for no country. */
  readonly none: string
}

/** A country by name. The present one stays while the names are loading. */
export function CountrySelect({ countries = [], value, none, ...props }: CountrySelectProps) {
  const isListed = value === '' || countries.some(({ iso_code }) => iso_code === value)
  return (
    <FieldSelect {...props} value={value}>
      <option value="">{none}</option>
      {!isListed && <option value={value}>{value}</option>}
      {countries.map(({ iso_code: code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </FieldSelect>
  )
}
