import i18next from 'i18next'

/** Field labels of this tab, by the first path segment within the slice. */
export function geographyLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'geography')
  return { '': t('title'), cities: t('cities') }
}
