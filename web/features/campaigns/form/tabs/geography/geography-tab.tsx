import { Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Alert, AlertDescription } from '@/components/ui/alert'
import { useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { FormSection } from '../form-section.tsx'
import { CityField } from './city-field.tsx'

export default function GeographyTab() {
  const { t } = useTranslation('geography')
  const country = useFormValue('country')
  return (
    <FormSection title={t('title')} lead={t('lead')}>
      {country === '' ? (
        <Alert role="note" className="col-span-2">
          <Info aria-hidden />
          <AlertDescription>{t('countryNeeded')}</AlertDescription>
        </Alert>
      ) : (
        <CityField country={country} />
      )}
    </FormSection>
  )
}
