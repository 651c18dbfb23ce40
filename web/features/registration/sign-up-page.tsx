import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useEffect, useRef, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { register } from '#contract/registration'
import { currenciesOf, faultOf, type RegistrationForm } from '#domain/registration/form'
import { languageKeyOf } from '#domain/kit/languages'
import { CountryPicker } from '@/components/form/country-picker'
import { FieldInput, FieldSelect, LabelledField } from '@/components/form/labelled-field'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { AppError } from '@/data/app-error'
import { campaignQueries } from '@/data/campaign-queries'
import { call } from '@/data/client'
import { errorText } from '@/i18n/error-text'
import { useLanguage } from '@/i18n/use-language'
import { sessionQueries } from '@/session/session-queries'
import { AuthCard, LINK } from './auth-card.tsx'
import { faultsByField, useFaultText } from './field-faults.ts'
import { useTypedForm } from './use-typed-form.ts'
import '@/i18n/texts/registration'

const EMPTY = {
  country: '',
  company_name: '',
  first_name: '',
  last_name: '',
  phone: '',
  email: '',
  currency: '',
  agree_with_tos: false,
} satisfies RegistrationForm

/** `/auth/signup`: registration of a new account. The answer never says whether the address is known. */
export function SignUpPage() {
  const { t } = useTranslation('registration')
  const form = useTypedForm<RegistrationForm>(EMPTY)
  const language = useLanguage()
  const countries = useQuery(campaignQueries.countries(language))
  const { data: whitelabel } = useQuery(sessionQueries.whitelabel())
  const termsUrl = whitelabel?.whitelabel_settings.term_of_service_url ?? null
  const currencies = currenciesOf(whitelabel?.id ?? '')
  const currency = form.values.currency || (currencies[0] ?? '')
  const faultText = useFaultText()
  const heading = useRef<HTMLHeadingElement>(null)

  const context = {
    whitelabelId: whitelabel?.id ?? '',
    by: 'registrant' as const,
    isCountry: (code: string) => countries.data === undefined || countries.data.some(({ iso_code }) => iso_code === code),
  }
  const values = { ...form.values, currency }
  const faultIn = (name: keyof RegistrationForm) => faultOf(name, values, context)
  const isValid = (Object.keys(EMPTY) as (keyof RegistrationForm)[]).every((name) => faultIn(name) === null)
  const errorOf = (name: keyof RegistrationForm): string | undefined => {
    const refused = form.refused[name]
    if (refused !== undefined) return refused
    const key = form.touched.has(name) ? faultIn(name) : null
    return key === null ? undefined : t(`fault.${key}`)
  }

  const sending = useMutation({
    meta: { silent: true },
    mutationFn: () => call(register, { body: { ...values, user_type_key: 1, language_key: languageKeyOf(language) } }),
    onError: (error) => {
      if (error instanceof AppError) form.setRefused(faultsByField(error, faultText))
    },
  })
  useEffect(() => {
    if (sending.isSuccess) heading.current?.focus()
  }, [sending.isSuccess])

  if (sending.isSuccess)
    return (
      <AuthCard
        headingRef={heading}
        title={t('signUp.doneTitle')}
        lead={t('signUp.doneText', { email: values.email.trim() })}
        below={
          <Link to="/auth/login" className={LINK}>
            {t('signUp.backToSignIn')}
          </Link>
        }
      />
    )

  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.touchAll()
    if (isValid) sending.mutate()
  }
  const text = (name: Exclude<keyof RegistrationForm, 'agree_with_tos' | 'country' | 'currency'>) => ({
    name,
    value: form.values[name],
    maxLength: 5000,
    onChange: ({ target }: { target: { value: string } }) => form.set(name, target.value),
    onBlur: () => form.leave(name),
  })
  const failedOtherwise = sending.isError && Object.keys(form.refused).length === 0
  return (
    <AuthCard
      wide
      title={t('signUp.title')}
      lead={t('signUp.lead')}
      below={
        <>
          {t('signUp.haveAccount')}
          <Link to="/auth/login" className={LINK}>
            {t('signUp.signIn')}
          </Link>
        </>
      }
    >
      <form noValidate onSubmit={submit} className="grid grid-cols-1 gap-x-4 gap-y-5 sm:grid-cols-2">
        {failedOtherwise && (
          <Notice tone="bad" role="alert" className="sm:col-span-2">
            <CircleAlert aria-hidden />
            {errorText(sending.error)}
          </Notice>
        )}
        <LabelledField
          label={t('signUp.country')}
          error={countries.isError ? t('signUp.countriesFailed') : errorOf('country')}
          className="sm:col-span-2"
        >
          <CountryPicker
            required
            countries={countries.data}
            label={t('signUp.country')}
            value={form.values.country}
            onPick={(code) => form.set('country', code)}
            onBlur={() => form.leave('country')}
          />
        </LabelledField>
        <LabelledField
          label={t('signUp.company')}
          hint={t('signUp.optional')}
          error={errorOf('company_name')}
          className="sm:col-span-2"
        >
          <FieldInput autoComplete="organization" {...text('company_name')} />
        </LabelledField>
        <LabelledField label={t('signUp.firstName')} error={errorOf('first_name')}>
          <FieldInput required autoComplete="given-name" {...text('first_name')} />
        </LabelledField>
        <LabelledField label={t('signUp.lastName')} error={errorOf('last_name')}>
          <FieldInput required autoComplete="family-name" {...text('last_name')} />
        </LabelledField>
        <LabelledField label={t('signUp.phone')} error={errorOf('phone')}>
          <FieldInput required type="tel" autoComplete="tel" placeholder={t('signUp.phonePlaceholder')} {...text('phone')} />
        </LabelledField>
        <LabelledField label={t('signUp.email')} error={errorOf('email')}>
          <FieldInput
            required
            type="text"
            inputMode="email"
            autoComplete="email"
            placeholder={t('signUp.emailPlaceholder')}
            {...text('email')}
          />
        </LabelledField>
        <LabelledField
          label={t('signUp.currency')}
          hint={currencies.length > 1 ? t('signUp.optional') : undefined}
          help={currencies.length > 1 ? undefined : t('signUp.currencyLocked')}
          error={errorOf('currency')}
          className="sm:col-span-2"
        >
          <FieldSelect
            disabled={currencies.length < 2}
            value={currency}
            onChange={({ target }) => form.set('currency', target.value)}
          >
            {['USD', 'NGN'].map((code) => (
              <option key={code} value={code}>
                {code}
              </option>
            ))}
          </FieldSelect>
        </LabelledField>
        <div className="flex flex-col gap-1 sm:col-span-2">
          <div className="flex min-h-7 items-start gap-2.5">
            <input
              id="agree"
              type="checkbox"
              checked={form.values.agree_with_tos}
              aria-invalid={errorOf('agree_with_tos') !== undefined}
              aria-describedby={errorOf('agree_with_tos') === undefined ? undefined : 'agree-error'}
              onChange={({ target }) => form.set('agree_with_tos', target.checked)}
              onBlur={() => form.leave('agree_with_tos')}
              className="accent-primary mt-0.5 size-4 shrink-0"
            />
            <span>
              <label htmlFor="agree">
                {t('signUp.terms')} {termsUrl === null && t('signUp.termsLink')}
              </label>
              {termsUrl !== null && (
                <a href={termsUrl} target="_blank" rel="noopener noreferrer" className={LINK}>
                  {t('signUp.termsLink')}
                </a>
              )}
            </span>
          </div>
          {errorOf('agree_with_tos') !== undefined && (
            <p id="agree-error" className="text-destructive pl-6.5 text-xs">
              {errorOf('agree_with_tos')}
            </p>
          )}
        </div>
        <Button type="submit" disabled={!isValid || sending.isPending} className="sm:col-span-2">
          {t(sending.isPending ? 'signUp.submitting' : 'signUp.submit')}
        </Button>
      </form>
    </AuthCard>
  )
}
