import i18next from 'i18next'

/** Field labels of this tab, by the first path segment within the slice. */
export function biddingLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'bidding')
  return { '': t('title'), entries: t('title') }
}
