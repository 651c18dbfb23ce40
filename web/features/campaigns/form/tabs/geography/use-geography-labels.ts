import { useTranslation } from 'react-i18next'

/** Labels of the fields of this tab, by their first segment within the slice. */
export function useGeographyLabels(): Readonly<Record<string, string>> {
  const { t } = useTranslation('geography')
  return { '': t('title'), cities: t('cities') }
}
