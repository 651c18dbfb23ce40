import { FlaskConical } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Notice } from '@/components/ui/notice'

/** Says that the test gateway plays the provider. */
export function TestMode() {
  const { t } = useTranslation('billing')
  return (
    <Notice tone="warn" role="note">
      <FlaskConical aria-hidden />
      <p>{t('cards.testMode')}</p>
    </Notice>
  )
}
