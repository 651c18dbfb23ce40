import { useTranslation } from 'react-i18next'

/** Labels of the fields of this tab, by their first segment within the slice. */
export const useTracksLabels = (): Readonly<Record<string, string>> => {
  const { t } = useTranslation('creatives')
  return { '': t('tracks.title'), tracks: t('tracks.title') }
}
