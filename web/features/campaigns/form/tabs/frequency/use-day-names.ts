import { useTranslation } from 'react-i18next'

/** Monday first. */
export function useDayNames() {
  const { t } = useTranslation('frequency')
  const short = [t('short.mon'), t('short.tue'), t('short.wed'), t('short.thu'), t('short.fri'), t('short.sat'), t('short.sun')]
  const full = [t('full.mon'), t('full.tue'), t('full.wed'), t('full.thu'), t('full.fri'), t('full.sat'), t('full.sun')]
  return { short, full }
}
