import i18next from 'i18next'

/** Labels of the fields of this tab, by their first segment within the slice. */
export function tracksLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'creatives')
  return { '': t('tracks.title'), tracks: t('tracks.title') }
}
