import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { languageKeyOf, languageOf, LANGUAGES } from '#domain/kit/languages'
import { isPhone } from '#domain/kit/validators'
import { saveProfile } from '#contract/profile'
import { FieldInput, FieldSelect, LabelledField } from '@/components/form/labelled-field'
import { Segmented } from '@/components/form/segmented'
import { UnsavedGuard } from '@/components/form/unsaved-guard'
import { Button } from '@/components/ui/button'
import { call } from '@/data/client'
import { chooseLanguage } from '@/i18n/setup'
import { toast } from '@/lib/toast'
import { useMe } from '@/session/session-queries'
import { fieldFaults } from '@/data/field-faults'
import { SettingsSection } from '@/components/settings-section'

const NAME_LENGTH = { min: 2, max: 300 }

type LanguageKey = ReturnType<typeof languageKeyOf>
type Draft = {
  readonly first_name: string
  readonly last_name: string
  readonly phone: string
  readonly language_key: LanguageKey
  readonly user_type_key: 1 | 2
}

/** Names, phone, language and kind of the account. The address and the company are changed by an administrator. */
export function DetailsSection() {
  const { t } = useTranslation(['profile', 'common'])
  const me = useMe()
  const stored: Draft = {
    first_name: me.first_name,
    last_name: me.last_name,
    phone: me.phone ?? '',
    language_key: languageKeyOf(languageOf(me.language_key)),
    user_type_key: me.user_type_key === 2 ? 2 : 1,
  }
  const [draft, setDraft] = useState(stored)
  const [touched, setTouched] = useState(false)
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const changed = JSON.stringify(draft) !== JSON.stringify(stored)
  const save = useMutation({
    meta: { invalidates: [['session', 'me'], ['profile']] },
    mutationFn: () => call(saveProfile, { params: { id: 'me' }, body: draft }),
    onSuccess: () => {
      toast.success(t('saved'))
      if (draft.language_key !== stored.language_key) void chooseLanguage(languageOf(draft.language_key))
    },
  })
  const name = (text: string) => {
    const { length } = text.trim()
    return length < NAME_LENGTH.min || length > NAME_LENGTH.max ? t('details.nameFault') : undefined
  }
  const faults = {
    ...fieldFaults(save.error),
    ...(touched
      ? {
          first_name: name(draft.first_name),
          last_name: name(draft.last_name),
          phone: draft.phone.trim() === '' || isPhone(draft.phone) ? undefined : t('details.phoneFault'),
        }
      : {}),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTouched(true)
    const valid =
      name(draft.first_name) ?? name(draft.last_name) ?? (draft.phone.trim() === '' || isPhone(draft.phone) ? undefined : '')
    if (valid === undefined) save.mutate()
  }
  return (
    <SettingsSection title={t('details.title')} text={t('details.text')}>
      <UnsavedGuard unsaved={changed} />
      <form onSubmit={submit} noValidate className="flex flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <LabelledField label={t('details.firstName')} error={faults.first_name}>
            <FieldInput
              autoComplete="given-name"
              value={draft.first_name}
              onChange={({ target }) => set({ first_name: target.value })}
            />
          </LabelledField>
          <LabelledField label={t('details.lastName')} error={faults.last_name}>
            <FieldInput
              autoComplete="family-name"
              value={draft.last_name}
              onChange={({ target }) => set({ last_name: target.value })}
            />
          </LabelledField>
          <LabelledField label={t('details.email')} help={t('details.emailHelp')}>
            <FieldInput readOnly value={me.email} className="bg-muted/60 text-muted-foreground" />
          </LabelledField>
          <LabelledField label={t('details.phone')} hint={t('details.optional')} error={faults.phone}>
            <FieldInput
              type="tel"
              autoComplete="tel"
              placeholder="+234 803 123 4567"
              value={draft.phone}
              onChange={({ target }) => set({ phone: target.value })}
            />
          </LabelledField>
          <LabelledField label={t('common:language')} help={t('details.languageHelp')}>
            <FieldSelect
              value={String(draft.language_key)}
              onChange={({ target }) => set({ language_key: languageKeyOf(languageOf(Number(target.value))) })}
            >
              {LANGUAGES.map(({ key, code, name: language }) => (
                <option key={code} value={key} lang={code}>
                  {language}
                </option>
              ))}
            </FieldSelect>
          </LabelledField>
          <Segmented
            label={t('details.kind')}
            segments={[
              { value: 1, label: t('details.company') },
              { value: 2, label: t('details.individual') },
            ]}
            value={draft.user_type_key}
            onChange={(kind) => set({ user_type_key: kind === 2 ? 2 : 1 })}
          />
        </div>
        <div className="flex items-center gap-3">
          <Button type="submit" disabled={!changed || save.isPending}>
            {t(save.isPending ? 'saving' : 'save')}
          </Button>
          {changed && (
            <Button type="button" variant="ghost" onClick={() => setDraft(stored)}>
              {t('discard')}
            </Button>
          )}
        </div>
      </form>
    </SettingsSection>
  )
}
