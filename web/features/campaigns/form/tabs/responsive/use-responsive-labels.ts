import { useTranslation } from 'react-i18next'

/** Labels of the fields of this tab, by their first segment within the slice. */
export const useResponsiveLabels = (): Readonly<Record<string, string>> => {
  const { t } = useTranslation('creatives')
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
