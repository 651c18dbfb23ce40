import { useTranslation } from 'react-i18next'

/** Labels of the fields of this tab, by their first segment within the slice. */
export function useBiddingLabels(): Readonly<Record<string, string>> {
  const { t } = useTranslation('bidding')
  return { '': t('title'), entries: t('title') }
}
