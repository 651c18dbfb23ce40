import { useTranslation } from 'react-i18next'
import { LabelledField, FieldInput } from '@/components/form/labelled-field'
import { useCampaignForm, useFieldError, useFormBase, useFormValue } from '@/features/campaigns/form/campaign-form-context'

const isColor = (text: string) => /^#?[0-9a-f]{6}$/i.test(text)

/** A colour picker and a hex input for the same value. */
export function ColorField() {
  const { t } = useTranslation('creatives')
  const { register, setValue } = useCampaignForm()
  const { readOnly } = useFormBase()
  const error = useFieldError('responsive.color')
  const color = useFormValue('responsive.color')
  return (
    <LabelledField label={t('color.label')} error={error}>
      <div className="flex gap-2">
        <input
          type="color"
          aria-label={t('color.pick')}
          disabled={readOnly}
          value={isColor(color) ? `#${color.replace('#', '').toLowerCase()}` : '#65abf6'}
          onChange={({ target }) =>
            setValue('responsive.color', target.value.slice(1), { shouldDirty: true, shouldValidate: true, shouldTouch: true })
          }
          className="border-input rounded-md bg-card h-9 w-11 shrink-0 cursor-pointer border p-1 disabled:cursor-not-allowed"
        />
        <FieldInput
          autoComplete="off"
          spellCheck={false}
          readOnly={readOnly}
          className="tabular-nums"
          {...register('responsive.color')}
        />
      </div>
    </LabelledField>
  )
}
