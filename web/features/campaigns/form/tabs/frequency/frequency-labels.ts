import i18next from 'i18next'

/** Field labels of this tab, by the first path segment within the slice. */
export function frequencyLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'frequency')
  return {
    '': t('title'),
    on: t('on'),
    daily: t('daily'),
    weekly: t('weekly'),
    monthly: t('monthly'),
    scheduling: t('schedule'),
  }
}
