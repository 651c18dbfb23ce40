import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Page } from '@/components/page/page'
import { AudienceForm } from './audience-form.tsx'
import '@/i18n/texts/audiences'
import '@/i18n/texts/owner'

/** `/audience/create` */
export function AudienceCreatePage() {
  const { t } = useTranslation('audiences')
  const navigate = useNavigate()
  return (
    <Page
      title={t('form.createTitle')}
      breadcrumb={[
        <Link key="audiences" to="/audiences">
          {t('title')}
        </Link>,
      ]}
    >
      <AudienceForm audience={null} onCancel={() => void navigate({ to: '/audiences' })} />
    </Page>
  )
}
