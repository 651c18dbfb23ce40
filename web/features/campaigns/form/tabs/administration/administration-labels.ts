import i18next from 'i18next'

/** Field labels of this tab, by the first path segment within the slice. */
export function administrationLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'administration')
  return {
    '': t('title'),
    accountManager: t('accountManager'),
    categories: t('categories'),
    exchanges: t('exchanges'),
    impressionUrl: t('impressionUrl'),
    dealLink: t('dealLink'),
    cpx: t('cpx'),
    t: t('t'),
    margin: t('margin'),
    fixedCpm: t('fixedCpm'),
    testDevices: t('testDevices'),
    telcoModel: t('telcoModel'),
    noTelcoModel: t('noTelcoModel'),
    dummyModels: t('dummyModels'),
    slots: t('slots'),
    slotsIncludeUnknown: t('slotsIncludeUnknown'),
    verified: t('verified'),
    disregardTargeting: t('disregardTargeting'),
    customHtml: t('customHtml'),
    multipliers: t('multipliers'),
  }
}
