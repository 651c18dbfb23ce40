import { Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Notice } from '@/components/ui/notice'
import { useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { FormSection } from '../form-section.tsx'
import { CityField } from './city-field.tsx'

export default function GeographyTab() {
  const { t } = useTranslation('geography')
  const country = useFormValue('country')
  return (
    <FormSection title={t('title')} lead={t('lead')}>
      {country === '' ? (
        <Notice className="col-span-2">
          <Info aria-hidden />
          <p>{t('countryNeeded')}</p>
        </Notice>
      ) : (
        <CityField country={country} />
      )}
    </FormSection>
  )
}
