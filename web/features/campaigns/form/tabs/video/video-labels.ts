import i18next from 'i18next'

/** Field labels of this tab, by the first path segment within the slice. */
export function videoLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'creatives')
  return {
    '': t('video.title'),
    creativeName: t('creativeName'),
    headline: t('headline'),
    longHeadline: t('video.longHeadline'),
    cta: t('callToAction'),
    video: t('video.video'),
    companions: t('video.companion'),
  }
}
