import i18next from 'i18next'

/** Field labels of this tab, by the first path segment within the slice. */
export function responsiveLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'creatives')
  return {
    '': t('responsive.title'),
    creativeName: t('creativeName'),
    titles: t('responsive.titles'),
    descriptions: t('responsive.descriptions'),
    callToAction: t('callToAction'),
    color: t('color.label'),
    companyName: t('responsive.companyName'),
    images: t('responsive.image'),
    logos: t('responsive.logo'),
  }
}
