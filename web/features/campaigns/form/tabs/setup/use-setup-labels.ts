import { useTranslation } from 'react-i18next'

/** Labels of the fields of the setup's slice, by their first segment. */
export function useSetupLabels(): Readonly<Record<string, string>> {
  const { t } = useTranslation('form')
  return {
    '': t('tabs.setup'),
    manual: t('setup.manual'),
    bid: t('setup.bid'),
    urlType: t('setup.urlType'),
    optionDomain: t('setup.optionDomain'),
    optionCondition: t('setup.optionCondition'),
    optionValue: t('setup.optionValue'),
    secondaryEvents: t('setup.secondaryEvents'),
    trackingUrl: t('setup.trackingUrl'),
    attribution: t('setup.attribution'),
    tags: t('setup.tags'),
  }
}
