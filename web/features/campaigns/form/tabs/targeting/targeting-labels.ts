import i18next from 'i18next'

/** Field labels of this tab, by the first path segment within the slice. */
export function targetingLabels(): Readonly<Record<string, string>> {
  const t = i18next.getFixedT(null, 'targeting')
  return {
    '': t('title'),
    automatic: t('mode'),
    fromAge: t('fromAge'),
    toAge: t('toAge'),
    interests: t('interests'),
    apps: t('apps'),
    audiences: t('audiences'),
    gender: t('gender'),
    similarity: t('similarity'),
    languages: t('languages'),
    regions: t('regions'),
    connections: t('connections'),
    attributes: t('attributes'),
  }
}
