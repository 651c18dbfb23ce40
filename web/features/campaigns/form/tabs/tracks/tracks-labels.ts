import i18next from 'i18next'

/** Field labels of this tab, by the first path segment within the slice. */
export function tracksLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'creatives')
  return { '': t('tracks.title'), tracks: t('tracks.title') }
}
