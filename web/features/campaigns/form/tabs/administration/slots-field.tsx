import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useCampaignForm, useFieldError, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { FormCheck } from '@/features/campaigns/form/form-field'

const NAME = 'administration.slots'

export function SlotsField() {
  const { t } = useTranslation('administration')
  const { control, setValue } = useCampaignForm()
  const { readOnly } = useFormBase()
  const slots = useWatch({ control, name: NAME })
  const error = useFieldError(NAME)
  const set = (place: number, on: boolean) =>
    setValue(
      NAME,
      slots.map((slot, index) => (index === place ? on : slot)),
      { shouldDirty: true },
    )
  return (
    <fieldset className="col-span-2 flex min-w-0 flex-col gap-2">
      <legend className="text-[0.8125rem]/4.5 mb-1 font-medium">{t('slots')}</legend>
      <div className="grid grid-cols-6 gap-x-4 gap-y-1">
        {slots.map((slot, index) => (
          <label key={index} className="flex min-h-7 items-center gap-2.5 tabular-nums">
            <input
              type="checkbox"
              role="switch"
              aria-checked={slot}
              disabled={readOnly}
              className="accent-primary size-4"
              checked={slot}
              onChange={(event) => set(index, event.target.checked)}
            />
            {t('slot', { number: index + 1 })}
          </label>
        ))}
      </div>
      {error !== undefined && <p className="text-destructive text-xs">{error}</p>}
      <FormCheck name="administration.slotsIncludeUnknown" label={t('slotsIncludeUnknown')} />
    </fieldset>
  )
}
