import i18next from 'i18next'

/** Field labels of this tab, by the first path segment within the slice. */
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
