import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { campaignQueries } from '@/data/campaign-queries'
import { FieldSelect } from '@/components/form/labelled-field'

type CountrySelectProps = Omit<ComponentProps<typeof FieldSelect>, 'children' | 'value'> & {
  /** ISO 3166-1 alpha-2, or empty. */
  readonly value: string
  /** Shown for no country. */
  readonly none: string
}

/** A country by name. The present one stays while the names are loading. */
export function CountrySelect({ value, none, ...props }: CountrySelectProps) {
  const { i18n } = useTranslation()
  const { data = [] } = useQuery(campaignQueries.countries(i18n.language === 'ru' ? 'ru' : 'en'))
  const isListed = value === '' || data.some(({ iso_code }) => iso_code === value)
  return (
    <FieldSelect {...props} value={value}>
      <option value="">{none}</option>
      {!isListed && <option value={value}>{value}</option>}
      {data.map(({ iso_code: code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </FieldSelect>
  )
}
