import { useMutation } from '@tanstack/react-query'
import { useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { languageKeyOf, languageOf, LANGUAGES } from '#domain/kit/languages'
import { isPhone } from '#domain/kit/validators'
import { saveProfile } from '#contract/profile'
import { SegmentedField } from '@/components/form/choice-fields'
import { SelectField, TextField } from '@/components/form/fields'
import { FieldInput, LabelledField } from '@/components/form/labelled-field'
import { markSaved, ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { call } from '@/data/client'
import { chooseLanguage } from '@/i18n/setup'
import { toast } from '@/lib/toast'
import { useMe } from '@/session/session-queries'
import { SettingsSection } from '@/components/settings-section'

const NAME_LENGTH = { min: 2, max: 300 }

type Values = {
  readonly first_name: string
  readonly last_name: string
  readonly phone: string
  /** The key of a language, as a select holds it. */
  readonly language: string
  readonly user_type_key: 1 | 2
}
type Name = keyof Values
const languageIn = ({ language }: Values) => languageOf(Number(language))

/** Names, phone, language and kind of the account. The address and the company are changed by an administrator. */
export function DetailsSection() {
  const { t } = useTranslation(['profile', 'common'])
  const me = useMe()
  const nameFault = (text: string) => {
    const { length } = text.trim()
    return length < NAME_LENGTH.min || length > NAME_LENGTH.max ? t('details.nameFault') : null
  }
  const form = useShortForm<Values>(
    {
      first_name: me.first_name,
      last_name: me.last_name,
      phone: me.phone ?? '',
      language: String(languageKeyOf(languageOf(me.language_key))),
      user_type_key: me.user_type_key === 2 ? 2 : 1,
    },
    ({ first_name, last_name, phone }) => ({
      first_name: nameFault(first_name),
      last_name: nameFault(last_name),
      phone: phone.trim() === '' || isPhone(phone) ? null : t('details.phoneFault'),
    }),
  )
  const { isDirty } = useFormState({ control: form.control })
  const save = useMutation({
    meta: { invalidates: [['session', 'me'], ['profile']] },
    mutationFn: ({ language, ...values }: Values) => {
      const language_key = languageKeyOf(languageOf(Number(language)))
      return call(saveProfile, { params: { id: 'me' }, body: { ...values, language_key } })
    },
    onSuccess: (_, sent) => {
      toast.success(t('saved'))
      if (languageIn(sent) !== languageOf(me.language_key)) void chooseLanguage(languageIn(sent))
      markSaved(form, sent)
    },
    onError: (error) => void showFaults(form, error, { fieldOf: (path) => (path === 'language_key' ? 'language' : path) }),
  })
  return (
    <SettingsSection title={t('details.title')} text={t('details.text')}>
      <ShortForm form={form} onSubmit={(values) => save.mutate(values)} className="flex flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField<Name> name="first_name" label={t('details.firstName')} autoComplete="given-name" />
          <TextField<Name> name="last_name" label={t('details.lastName')} autoComplete="family-name" />
          <LabelledField label={t('details.email')} help={t('details.emailHelp')}>
            <FieldInput readOnly value={me.email} className="bg-muted/60 text-muted-foreground" />
          </LabelledField>
          <TextField<Name>
            name="phone"
            label={t('details.phone')}
            hint={t('details.optional')}
            type="tel"
            autoComplete="tel"
            placeholder="+234 803 123 4567"
          />
          <SelectField<Name> name="language" label={t('common:language')} help={t('details.languageHelp')}>
            {LANGUAGES.map(({ key, code, name: language }) => (
              <option key={code} value={key} lang={code}>
                {language}
              </option>
            ))}
          </SelectField>
          <SegmentedField<Name, Values['user_type_key']>
            name="user_type_key"
            label={t('details.kind')}
            segments={[
              { value: 1, label: t('details.company') },
              { value: 2, label: t('details.individual') },
            ]}
          />
        </div>
        <div className="flex items-center gap-3">
          <Button type="submit" disabled={!isDirty || save.isPending}>
            {t(save.isPending ? 'saving' : 'save')}
          </Button>
          {isDirty && (
            <Button type="button" variant="ghost" onClick={() => form.reset()}>
              {t('discard')}
            </Button>
          )}
        </div>
      </ShortForm>
    </SettingsSection>
  )
}
