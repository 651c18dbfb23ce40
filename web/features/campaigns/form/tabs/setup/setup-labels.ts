import i18next from 'i18next'

/** Field labels of the setup slice, by the first path segment. */
export function setupLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'form')
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
