import i18next from 'i18next'

/** Labels of the fields of this tab, by their first segment within the slice. */
export function placementLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'placement')
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
