import { useTranslation } from 'react-i18next'
import { useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { FormInput, FormSelect } from '@/features/campaigns/form/form-field'
import { FormSection } from '../form-section.tsx'
import { DAILY_CAPS } from './frequency-slice.ts'

/** Limits how often one user sees the ads. */
export function CapFields() {
  const { t } = useTranslation('frequency')
  const daily = useFormValue('frequency.daily')
  const offered = DAILY_CAPS.map(String)
  const figures = { inputMode: 'numeric', placeholder: t('none'), style: { fontVariantNumeric: 'tabular-nums' } } as const
  return (
    <FormSection title={t('caps')} lead={t('capsLead')}>
      <div className="col-span-2 grid grid-cols-3 gap-5">
        <FormSelect name="frequency.daily" label={t('daily')}>
          <option value="">{t('none')}</option>
          {daily !== '' && !offered.includes(daily) && <option value={daily}>{daily}</option>}
          {offered.map((cap) => (
            <option key={cap} value={cap}>
              {cap}
            </option>
          ))}
        </FormSelect>
        <FormInput name="frequency.weekly" label={t('weekly')} {...figures} />
        <FormInput name="frequency.monthly" label={t('monthly')} {...figures} />
      </div>
    </FormSection>
  )
}
