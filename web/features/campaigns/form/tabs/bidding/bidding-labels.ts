import i18next from 'i18next'

/** Labels of the fields of this tab, by their first segment within the slice. */
export function biddingLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'bidding')
  return { '': t('title'), entries: t('title') }
}
