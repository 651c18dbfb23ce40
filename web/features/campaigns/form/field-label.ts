import { useSliceLabels } from './slices/use-slice-labels.ts'
import { useTranslation } from 'react-i18next'

/** The visible label of a form field, for lists of what is wrong. */
export function useFieldLabel() {
  const { t } = useTranslation('form')
  const labels: Readonly<Record<string, string>> = {
    name: t('name'),
    country: t('country'),
    startDate: t('startDate'),
    endDate: t('endDate'),
    budget: t('dailyBudget'),
    productUrl: t('landingPage'),
    goal: t('goal'),
    'goalFields.conversionUrl': t('conversionUrl'),
    'goalFields.customActionName': t('customActionName'),
    'goalFields.appName': t('appName'),
    'goalFields.appPlatform': t('appPlatform'),
    'goalFields.bundleId': t('bundleId'),
    'goalFields.mmp': t('mmp'),
  }
  const slices = useSliceLabels()
  return (field: string) => {
    const [slice = '', inner = ''] = field.split('.')
    const own = slices[slice]
    if (own !== undefined) return own[inner] ?? own[''] ?? field
    return labels[field] ?? (field.endsWith('creativeName') ? t('banners.creativeName') : t('banners.title'))
  }
}
