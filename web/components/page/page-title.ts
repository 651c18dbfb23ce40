import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBrandName } from '@/theme/brand'

/** Sets the document title: the page's title, then the white-label's name. */
export function usePageTitle(title: string) {
  const { t } = useTranslation()
  const product = useBrandName() ?? t('productName')
  useEffect(() => {
    document.title = `${title} – ${product}`
  }, [title, product])
}
