import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addAccount } from '#contract/registration'
import { ACCOUNT_SOURCES, ACCOUNT_TYPES } from '#domain/account/settings'
import { ACCOUNT_WHITE_LABELS, DEFAULT_REWARDED_RATE, MOST_REWARDED_RATE } from '#domain/registration/account-details'
import { languageKeyOf, languageOf, LANGUAGES } from '#domain/kit/languages'
import { currenciesOf, faultOf, type RegistrationForm } from '#domain/registration/form'
import { CountryPicker } from '@/components/form/country-picker'
import { FieldInput, FieldSelect, LabelledField } from '@/components/form/labelled-field'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { AppError } from '@/data/app-error'
import { campaignQueries } from '@/data/campaign-queries'
import { call } from '@/data/client'
import { plainDecimal } from '@/i18n/decimal'
import { errorText } from '@/i18n/error-text'
import { useLanguage } from '@/i18n/use-language'
import { toast } from '@/lib/toast'
import { can } from '@/session/can'
import { useMe } from '@/session/session-queries'
import { faultsByField, useFaultText } from './field-faults.ts'
import { UnsavedGuard } from '@/components/form/unsaved-guard'
import { useTypedForm } from './use-typed-form.ts'
import '@/i18n/texts/registration'

type Values = { readonly [K in keyof typeof EMPTY]: string }
type PersonField = Exclude<keyof RegistrationForm, 'agree_with_tos'>

const EMPTY = {
  first_name: '',
  last_name: '',
  company_name: '',
  country: '',
  source: '',
  other: '',
  email: '',
  phone: '',
  whitelabel_id: '',
  niche: '',
  position: '',
  type: '',
  currency: '',
  rewarded_ads_cpm_rate: String(DEFAULT_REWARDED_RATE),
  language: String(LANGUAGES[0].key),
}
const PERSON_FIELDS = ['country', 'company_name', 'first_name', 'last_name', 'phone', 'email', 'currency'] as const
const OWN_TEXT = 'other'

/** `/admin/accounts/add`: an account that staff add. It is open at once, and its owner gets a mail (decisions G-180). */
export function AddAccountPage() {
  const { t } = useTranslation(['registration', 'common'])
  const navigate = useNavigate()
  const me = useMe()
  const isAdmin = can(me, 'whitelabel.manage')
  const form = useTypedForm<Values>({ ...EMPTY, whitelabel_id: me.whitelabel_id })
  const { values } = form
  const language = useLanguage()
  const countries = useQuery(campaignQueries.countries(language))
  const faultText = useFaultText()
  const currencies = currenciesOf(values.whitelabel_id, 'staff')
  const currency = currencies.includes(values.currency) ? values.currency : (currencies[0] ?? '')

  const context = {
    whitelabelId: values.whitelabel_id,
    by: 'staff' as const,
    isCountry: (code: string) => countries.data === undefined || countries.data.some(({ iso_code }) => iso_code === code),
  }
  const rate = Number(plainDecimal(values.rewarded_ads_cpm_rate))
  const isRate = values.rewarded_ads_cpm_rate.trim() !== '' && rate > 0 && rate <= MOST_REWARDED_RATE
  const isPersonField = (name: keyof Values): name is PersonField & keyof Values =>
    (PERSON_FIELDS as readonly string[]).includes(name)
  const faultIn = (name: keyof Values): string | null => {
    if (isPersonField(name)) {
      const key = faultOf(name, { ...values, currency, agree_with_tos: true }, context)
      return key === null ? null : t(`registration:fault.${key}`)
    }
    if (name === 'rewarded_ads_cpm_rate') return isRate ? null : t('registration:fault.rate')
    if (name === 'other' && values.source === OWN_TEXT && values.other.trim() === '') return t('registration:fault.required')
    return null
  }
  const isValid = (Object.keys(EMPTY) as (keyof Values)[]).every((name) => faultIn(name) === null)
  const errorOf = (name: keyof Values) =>
    form.refused[name] ?? (form.touched.has(name) ? (faultIn(name) ?? undefined) : undefined)

  const adding = useMutation({
    meta: { silent: true },
    mutationFn: () => {
      const { other, language: spoken, rewarded_ads_cpm_rate: _, source, type, ...person } = values
      return call(addAccount, {
        body: {
          ...person,
          currency,
          agree_with_tos: true,
          user_type_key: 1,
          source: source === OWN_TEXT ? other.trim() : source,
          rewarded_ads_cpm_rate: rate,
          type: ACCOUNT_TYPES.find((known) => known === type) ?? null,
          language_key: languageKeyOf(languageOf(Number(spoken))),
        },
      })
    },
    onSuccess: async () => {
      toast.success(t('registration:add.done'))
      await navigate({ to: '/admin/accounts', ignoreBlocker: true })
    },
    onError: (error) => {
      form.setRefused(error instanceof AppError ? faultsByField(error, faultText) : {})
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.touchAll()
    if (isValid) adding.mutate()
  }

  const text = (name: keyof Values) => ({
    value: values[name],
    maxLength: 5000,
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => form.set(name, target.value),
    onBlur: () => form.leave(name),
  })
  const choice = (name: keyof Values, label: string, options: ReactNode, isLocked = false) => (
    <LabelledField label={label} error={errorOf(name)}>
      <FieldSelect
        disabled={isLocked}
        value={name === 'currency' ? currency : values[name]}
        onChange={({ target }) => form.set(name, target.value)}
        onBlur={() => form.leave(name)}
      >
        {options}
      </FieldSelect>
    </LabelledField>
  )
  const section = (title: string, fields: ReactNode) => (
    <fieldset className="border-border bg-card rounded-lg border p-6">
      <legend className="sr-only">{title}</legend>
      <h2 aria-hidden className="mb-4 text-[15px]/6 font-semibold">
        {title}
      </h2>
      <div className="grid grid-cols-1 gap-x-4 gap-y-5 sm:grid-cols-2">{fields}</div>
    </fieldset>
  )
  const pick = <option value="">{t('registration:add.pick')}</option>
  const failedOtherwise = adding.isError && Object.keys(form.refused).length === 0
  return (
    <Page
      title={t('registration:add.title')}
      breadcrumb={[
        <Link key="accounts" to="/admin/accounts">
          {t('registration:add.crumb')}
        </Link>,
      ]}
    >
      <UnsavedGuard unsaved={form.changed && !adding.isSuccess} />
      <form noValidate onSubmit={submit} className="flex w-full max-w-3xl flex-col gap-4 2xl:mx-auto">
        <p className="text-muted-foreground text-pretty">{t('registration:add.lead')}</p>
        {failedOtherwise && (
          <Notice tone="bad" role="alert">
            <CircleAlert aria-hidden />
            {errorText(adding.error)}
          </Notice>
        )}
        {section(
          t('registration:add.person'),
          <>
            <LabelledField label={t('registration:signUp.firstName')} error={errorOf('first_name')}>
              <FieldInput required {...text('first_name')} />
            </LabelledField>
            <LabelledField label={t('registration:signUp.lastName')} error={errorOf('last_name')}>
              <FieldInput required {...text('last_name')} />
            </LabelledField>
            <LabelledField label={t('registration:signUp.email')} error={errorOf('email')}>
              <FieldInput required inputMode="email" {...text('email')} />
            </LabelledField>
            <LabelledField label={t('registration:signUp.phone')} error={errorOf('phone')}>
              <FieldInput required type="tel" {...text('phone')} />
            </LabelledField>
            <LabelledField
              label={t('registration:add.position')}
              hint={t('registration:signUp.optional')}
              error={errorOf('position')}
            >
              <FieldInput {...text('position')} maxLength={300} />
            </LabelledField>
            {choice(
              'language',
              t('registration:add.language'),
              LANGUAGES.map(({ key, code, name }) => (
                <option key={code} value={key} lang={code}>
                  {name}
                </option>
              )),
            )}
          </>,
        )}
        {section(
          t('registration:add.business'),
          <>
            <LabelledField
              label={t('registration:signUp.company')}
              hint={t('registration:signUp.optional')}
              error={errorOf('company_name')}
            >
              <FieldInput {...text('company_name')} />
            </LabelledField>
            <LabelledField label={t('registration:signUp.country')} error={errorOf('country')}>
              <CountryPicker
                required
                countries={countries.data}
                label={t('registration:signUp.country')}
                value={form.values.country}
                onPick={(code) => form.set('country', code)}
                onBlur={() => form.leave('country')}
              />
            </LabelledField>
            {choice(
              'type',
              t('registration:add.type'),
              <>
                {pick}
                {ACCOUNT_TYPES.map((type) => (
                  <option key={type} value={type}>
                    {t(`registration:add.typeName.${type}`)}
                  </option>
                ))}
              </>,
            )}
            <LabelledField label={t('registration:add.niche')} hint={t('registration:signUp.optional')} error={errorOf('niche')}>
              <FieldInput {...text('niche')} maxLength={300} />
            </LabelledField>
            {choice(
              'source',
              t('registration:add.source'),
              <>
                {pick}
                {ACCOUNT_SOURCES.map((source) => (
                  <option key={source} value={source}>
                    {source === '{product}_ads'
                      ? t('registration:add.sourceName.product_ads', { product: t('common:productName') })
                      : t(`registration:add.sourceName.${source}`)}
                  </option>
                ))}
              </>,
            )}
            {values.source === OWN_TEXT && (
              <LabelledField label={t('registration:add.other')} error={errorOf('other')}>
                <FieldInput required {...text('other')} maxLength={300} placeholder={t('registration:add.otherPlaceholder')} />
              </LabelledField>
            )}
          </>,
        )}
        {section(
          t('registration:add.terms'),
          <>
            {choice(
              'whitelabel_id',
              t('registration:add.whitelabel'),
              ACCOUNT_WHITE_LABELS.map((id) => (
                <option key={id} value={id}>
                  {t(`registration:add.whitelabelName.${id}`)}
                </option>
              )),
              !isAdmin,
            )}
            {choice(
              'currency',
              t('registration:signUp.currency'),
              currencies.map((code) => (
                <option key={code} value={code}>
                  {code}
                </option>
              )),
              currencies.length < 2,
            )}
            <LabelledField label={t('registration:add.rate')} error={errorOf('rewarded_ads_cpm_rate')}>
              <FieldInput inputMode="decimal" {...text('rewarded_ads_cpm_rate')} className="tabular-nums" />
            </LabelledField>
          </>,
        )}
        <div className="flex justify-end gap-2">
          <Button type="button" variant="outline" onClick={() => void navigate({ to: '/admin/accounts' })}>
            {t('registration:add.cancel')}
          </Button>
          <Button type="submit" disabled={adding.isPending}>
            {t(adding.isPending ? 'registration:add.submitting' : 'registration:add.submit')}
          </Button>
        </div>
      </form>
    </Page>
  )
}
