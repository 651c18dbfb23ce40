import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { CountryPicker } from '@/components/form/country-picker'
import { LabelledField } from '@/components/form/labelled-field'
import { campaignQueries } from '@/data/campaign-queries'
import { useCampaignForm, useFieldError, useFormBase, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { useLanguage } from '@/i18n/use-language'

/** The country can be set once: the choice needs a confirmation, which locks the field. */
export function CountryField({ className }: { readonly className?: string }) {
  const { t } = useTranslation('form')
  const { register, getValues, setValue, setFocus } = useCampaignForm()
  const { readOnly } = useFormBase()
  const error = useFieldError('country')
  /** The country that is asked about. The dialog still shows it while it closes. */
  const [chosen, setChosen] = useState('')
  const [asking, setAsking] = useState(false)
  const { data: countries } = useQuery(campaignQueries.countries(useLanguage()))
  const country = useFormValue('country')
  const nameOf = (code: string) => countries?.find(({ iso_code }) => iso_code === code)?.name ?? code
  const { ref, name } = register('country')

  const set = () => {
    setValue('country', chosen, { shouldDirty: true, shouldValidate: true, shouldTouch: true })
    setAsking(false)
  }
  return (
    <>
      <LabelledField
        label={t('country')}
        help={country === '' ? t('countryHelp') : t('countryLocked')}
        error={error}
        {...(className === undefined ? {} : { className })}
      >
        <CountryPicker
          ref={ref}
          name={name}
          countries={countries}
          label={t('country')}
          value={country === '' && asking ? chosen : country}
          disabled={readOnly || country !== ''}
          onPick={(code) => {
            setChosen(code)
            setAsking(true)
          }}
        />
      </LabelledField>
      <ConfirmDialog
        open={asking}
        title={t('countryConfirm.title', { country: nameOf(chosen) })}
        text={t('countryConfirm.text')}
        confirm={t('countryConfirm.confirm')}
        cancel={t('footer.cancel')}
        onConfirm={set}
        onCancel={() => setAsking(false)}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // A confirmed country is locked and cannot receive the focus.
          setFocus(getValues('country') === '' ? 'country' : 'startDate')
        }}
      />
    </>
  )
}
