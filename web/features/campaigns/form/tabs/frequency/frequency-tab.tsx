import { useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ToggleRow } from '@/components/form/toggle-row'
import { useCampaignForm } from '@/features/campaigns/form/campaign-form-context'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { FormSection } from '../form-section.tsx'
import { CapFields } from './cap-fields.tsx'
import { ScheduleSection } from './schedule-section.tsx'

export default function FrequencyTab() {
  const { t } = useTranslation('frequency')
  const { control } = useCampaignForm()
  const { errors } = useFormState({ control, name: 'frequency' })
  const { value: on, set, ref, disabled } = useSliceField('frequency.on')
  return (
    <>
      <FormSection title={t('title')}>
        <ToggleRow
          className="col-span-2"
          label={t('on')}
          help={t('onHelp')}
          checked={on}
          disabled={disabled}
          ref={ref}
          onChange={set}
        />
      </FormSection>
      {/* Fields with errors must be reachable even when the step is off. */}
      {(on || errors.frequency !== undefined) && (
        <>
          <CapFields />
          <ScheduleSection />
        </>
      )}
    </>
  )
}
