import i18next from 'i18next'

/** Field labels of this tab, by the first path segment within the slice. */
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
