import { useTranslation } from 'react-i18next'

/** Labels of the fields of this tab, by their first segment within the slice. */
export function useTargetingLabels(): Readonly<Record<string, string>> {
  const { t } = useTranslation('targeting')
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
