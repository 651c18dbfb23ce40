import { useTranslation } from 'react-i18next'

/** Labels of the fields of this tab, by their first segment within the slice. */
export function usePlacementLabels(): Readonly<Record<string, string>> {
  const { t } = useTranslation('placement')
  return {
    '': t('title'),
    device: t('device'),
    environment: t('environment'),
    osVersion: t('osVersion'),
    apps: t('apps'),
    categories: t('categories'),
    games: t('gameCategories'),
    noGames: t('noGames'),
    noNonGambling: t('noNonGambling'),
    languages: t('languages'),
  }
}
