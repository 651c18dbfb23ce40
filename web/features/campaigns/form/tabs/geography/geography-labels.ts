import i18next from 'i18next'

/** Labels of the fields of this tab, by their first segment within the slice. */
export function geographyLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'geography')
  return { '': t('title'), cities: t('cities') }
}
