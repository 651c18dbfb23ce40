import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../../../components/confirm-dialog.tsx'
import { Field, Select } from '../../../../../components/ui/field.tsx'
import { LANGUAGES } from '../../../../../i18n/setup.ts'
import { campaignQueries } from '../../../campaign-queries.ts'
import { useCampaignForm, useFieldError, useFormBase } from '../../campaign-form-context.ts'

/** Set once: a choice is asked about, and after the answer the field is locked. */
export function CountryField({ className }: { readonly className?: string }) {
  const { t, i18n } = useTranslation('form')
  const { register, watch, setValue } = useCampaignForm()
  const { readOnly } = useFormBase()
  const error = useFieldError('country')
  const [asked, setAsked] = useState<string | null>(null)
  const language = LANGUAGES.find((known) => known === i18n.language) ?? 'en'
  const { data: countries = [] } = useQuery(campaignQueries.countries(language))
  const country = watch('country')
  const nameOf = (code: string) => countries.find(({ iso_code }) => iso_code === code)?.name ?? code
  const { ref, name } = register('country')

  const set = () => {
    if (asked !== null) setValue('country', asked, { shouldDirty: true, shouldValidate: true, shouldTouch: true })
    setAsked(null)
  }
  return (
    <>
      <Field
        label={t('country')}
        help={country === '' ? t('countryHelp') : t('countryLocked')}
        error={error}
        {...(className === undefined ? {} : { className })}
      >
        <Select
          ref={ref}
          name={name}
          value={country}
          disabled={readOnly || country !== ''}
          onChange={(event) => setAsked(event.target.value)}
        >
          <option value="">{t('countryPick')}</option>
          {countries.map(({ iso_code, name }) => (
            <option key={iso_code} value={iso_code}>
              {name}
            </option>
          ))}
          {country !== '' && countries.length === 0 && <option value={country}>{country}</option>}
        </Select>
      </Field>
      <ConfirmDialog
        open={asked !== null && asked !== ''}
        title={t('countryConfirm.title', { country: nameOf(asked ?? '') })}
        text={t('countryConfirm.text')}
        confirm={t('countryConfirm.confirm')}
        cancel={t('footer.cancel')}
        onConfirm={set}
        onCancel={() => setAsked(null)}
      />
    </>
  )
}
