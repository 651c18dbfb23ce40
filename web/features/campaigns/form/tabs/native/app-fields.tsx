import { useTranslation } from 'react-i18next'
import { LabelledField, FieldInput } from '@/components/form/labelled-field'
import { useCampaignForm, useFieldError, useFormBase, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { FormSelect } from '@/features/campaigns/form/form-field'

const RATINGS = ['1', '2', '3', '4', '5']

/** Fields that an app-install ad shows instead of the advertiser. */
export function AppFields() {
  const { t } = useTranslation('creatives')
  const { register } = useCampaignForm()
  const { readOnly } = useFormBase()
  const rating = useFormValue('native.starRating')
  const error = useFieldError('native.price')
  // A rating set elsewhere may lie between the offered steps.
  const ratings = rating === '' || RATINGS.includes(rating) ? RATINGS : [...RATINGS, rating]
  return (
    <>
      <FormSelect name="native.starRating" label={t('native.starRating')} hint={t('native.optional')}>
        <option value="">{t('native.starRatingNone')}</option>
        {ratings.map((value) => (
          <option key={value} value={value}>
            {t('native.stars', { rating: value })}
          </option>
        ))}
      </FormSelect>
      <LabelledField label={t('native.price')} hint={t('native.optional')} error={error}>
        <div className="relative">
          <span
            aria-hidden
            className="text-muted-foreground pointer-events-none absolute inset-y-0 left-3 grid place-items-center"
          >
            $
          </span>
          <FieldInput
            autoComplete="off"
            inputMode="decimal"
            readOnly={readOnly}
            className="pl-7 tabular-nums"
            {...register('native.price')}
          />
        </div>
      </LabelledField>
    </>
  )
}
