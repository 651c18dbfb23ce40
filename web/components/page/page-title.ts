import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

/** Sets the document title: the page's title, then the product's. */
export function usePageTitle(title: string) {
  const { t } = useTranslation()
  const product = t('productName')
  useEffect(() => {
    document.title = `${title} – ${product}`
  }, [title, product])
}
