import { useTranslation } from 'react-i18next'

/** Labels of the fields of this tab, by their first segment within the slice. */
export function useFrequencyLabels(): Readonly<Record<string, string>> {
  const { t } = useTranslation('frequency')
  return {
    '': t('title'),
    on: t('on'),
    daily: t('daily'),
    weekly: t('weekly'),
    monthly: t('monthly'),
    scheduling: t('schedule'),
  }
}
