import i18next from 'i18next'

/** Labels of the fields of this tab, by their first segment within the slice. */
export function nativeLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'creatives')
  return {
    '': t('native.title'),
    creativeName: t('creativeName'),
    headline: t('headline'),
    body: t('native.description'),
    callToAction: t('callToAction'),
    advertiser: t('native.advertiser'),
    starRating: t('native.starRating'),
    price: t('native.price'),
    images: t('native.images'),
    logo: t('native.logo'),
    video: t('native.video'),
  }
}
