import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { LabelledField, FieldSelect } from '@/components/form/labelled-field'
import { LANGUAGES } from '@/i18n/setup'
import { campaignQueries } from '@/data/campaign-queries'
import { useCampaignForm, useFieldError, useFormBase, useFormValue } from '@/features/campaigns/form/campaign-form-context'

/** The country can be set once: the choice needs a confirmation, which locks the field. */
export function CountryField({ className }: { readonly className?: string }) {
  const { t, i18n } = useTranslation('form')
  const { register, getValues, setValue, setFocus } = useCampaignForm()
  const { readOnly } = useFormBase()
  const error = useFieldError('country')
  const [chosen, setChosen] = useState('')
  const [asking, setAsking] = useState(false)
  /** True while arrows and letters step through a closed list. Enter or blur then confirms the selection. */
  const passing = useRef(false)
  const language = LANGUAGES.find((known) => known === i18n.language) ?? 'en'
  const { data: countries = [] } = useQuery(campaignQueries.countries(language))
  const country = useFormValue('country')
  const nameOf = (code: string) => countries.find(({ iso_code }) => iso_code === code)?.name ?? code
  const { ref, name } = register('country')

  const ask = (code: string) => setAsking(code !== '')
  const done = () => {
    setChosen('')
    setAsking(false)
  }
  const set = () => {
    setValue('country', chosen, { shouldDirty: true, shouldValidate: true, shouldTouch: true })
    done()
  }
  return (
    <>
      <LabelledField
        label={t('country')}
        help={country === '' ? t('countryHelp') : t('countryLocked')}
        error={error}
        {...(className === undefined ? {} : { className })}
      >
        <FieldSelect
          ref={ref}
          name={name}
          value={country === '' ? chosen : country}
          disabled={readOnly || country !== ''}
          onPointerDown={() => (passing.current = false)}
          onKeyDown={(event) => {
            // Enter and Space open the list, which then changes once.
            passing.current = event.key !== 'Enter' && event.key !== ' '
            if (event.key !== 'Enter' || chosen === '') return
            // Otherwise Enter would save the campaign.
            event.preventDefault()
            ask(chosen)
          }}
          onChange={({ target }) => {
            setChosen(target.value)
            if (!passing.current) ask(target.value)
          }}
          onBlur={() => ask(chosen)}
        >
          <option value="">{t('countryPick')}</option>
          {countries.map(({ iso_code, name }) => (
            <option key={iso_code} value={iso_code}>
              {name}
            </option>
          ))}
          {country !== '' && countries.length === 0 && <option value={country}>{country}</option>}
        </FieldSelect>
      </LabelledField>
      <ConfirmDialog
        open={asking}
        title={t('countryConfirm.title', { country: nameOf(chosen) })}
        text={t('countryConfirm.text')}
        confirm={t('countryConfirm.confirm')}
        cancel={t('footer.cancel')}
        onConfirm={set}
        onCancel={done}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // A confirmed country is locked and cannot receive the focus.
          setFocus(getValues('country') === '' ? 'country' : 'startDate')
        }}
      />
    </>
  )
}
