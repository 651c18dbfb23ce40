import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { register } from '#contract/registration'
import { currenciesOf, faultOf, type RegistrationForm } from '#domain/registration/form'
import { languageKeyOf } from '#domain/kit/languages'
import { CountryField } from '@/components/form/choice-fields'
import { SelectField, TextField } from '@/components/form/fields'
import { useFormKit, useKitError } from '@/components/form/form-kit'
import { markSaved, ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { campaignQueries } from '@/data/campaign-queries'
import { call } from '@/data/client'
import { fieldFaults } from '@/data/field-faults'
import { errorText } from '@/i18n/error-text'
import { useLanguage } from '@/i18n/use-language'
import { sessionQueries } from '@/session/session-queries'
import { AuthCard, LINK } from './auth-card.tsx'
import { useFaultText } from './field-faults.ts'
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
type Name = keyof RegistrationForm
const FIELDS = Object.keys(EMPTY) as readonly Name[]

/** `/auth/signup`: registration of a new account. The answer never says whether the address is known. */
export function SignUpPage() {
  const { t } = useTranslation('registration')
  const language = useLanguage()
  const countries = useQuery(campaignQueries.countries(language))
  const { data: whitelabel } = useQuery(sessionQueries.whitelabel())
  const termsUrl = whitelabel?.whitelabel_settings.term_of_service_url ?? null
  const currencies = currenciesOf(whitelabel?.id ?? '')
  const textOf = useFaultText()
  const heading = useRef<HTMLHeadingElement>(null)

  const context = {
    whitelabelId: whitelabel?.id ?? '',
    by: 'registrant' as const,
    isCountry: (code: string) => countries.data === undefined || countries.data.some(({ iso_code }) => iso_code === code),
  }
  const sentOf = (typed: RegistrationForm): RegistrationForm => ({ ...typed, currency: typed.currency || (currencies[0] ?? '') })
  const check = (typed: RegistrationForm) =>
    Object.fromEntries(
      FIELDS.flatMap((name) => {
        const key = faultOf(name, sentOf(typed), context)
        return key === null ? [] : [[name, t(`fault.${key}`)]]
      }),
    )
  const form = useShortForm<RegistrationForm>(EMPTY, check)
  const typed = { ...EMPTY, ...useWatch({ control: form.control }) }
  const isValid = Object.keys(check(typed)).length === 0

  const sending = useMutation({
    meta: { silent: true },
    mutationFn: (values: RegistrationForm) =>
      call(register, { body: { ...sentOf(values), user_type_key: 1, language_key: languageKeyOf(language) } }),
    onSuccess: (_, values) => markSaved(form, values),
    onError: (error) => void showFaults(form, error, { textOf }),
  })
  useEffect(() => {
    if (sending.isSuccess) heading.current?.focus()
  }, [sending.isSuccess])

  if (sending.isSuccess)
    return (
      <AuthCard
        headingRef={heading}
        title={t('signUp.doneTitle')}
        lead={t('signUp.doneText', { email: typed.email.trim() })}
        below={
          <Link to="/auth/login" className={LINK}>
            {t('signUp.backToSignIn')}
          </Link>
        }
      />
    )

  const failedOtherwise = sending.isError && Object.keys(fieldFaults(sending.error)).length === 0
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
      <ShortForm
        form={form}
        onSubmit={(values) => sending.mutate(values)}
        className="grid grid-cols-1 gap-x-4 gap-y-5 sm:grid-cols-2"
      >
        {failedOtherwise && (
          <Notice tone="bad" role="alert" className="sm:col-span-2">
            <CircleAlert aria-hidden />
            {errorText(sending.error)}
          </Notice>
        )}
        <CountryField<Name>
          name="country"
          label={t('signUp.country')}
          required
          countries={countries.data}
          failure={countries.isError ? t('signUp.countriesFailed') : undefined}
          className="sm:col-span-2"
        />
        <TextField<Name>
          name="company_name"
          label={t('signUp.company')}
          hint={t('signUp.optional')}
          autoComplete="organization"
          className="sm:col-span-2"
        />
        <TextField<Name> name="first_name" label={t('signUp.firstName')} required autoComplete="given-name" />
        <TextField<Name> name="last_name" label={t('signUp.lastName')} required autoComplete="family-name" />
        <TextField<Name>
          name="phone"
          label={t('signUp.phone')}
          required
          type="tel"
          autoComplete="tel"
          placeholder={t('signUp.phonePlaceholder')}
        />
        <TextField<Name>
          name="email"
          label={t('signUp.email')}
          required
          type="text"
          inputMode="email"
          autoComplete="email"
          placeholder={t('signUp.emailPlaceholder')}
        />
        <SelectField<Name>
          name="currency"
          label={t('signUp.currency')}
          hint={currencies.length > 1 ? t('signUp.optional') : undefined}
          {...(currencies.length < 2 && { help: t('signUp.currencyLocked') })}
          shown={sentOf(typed).currency}
          disabled={currencies.length < 2}
          className="sm:col-span-2"
        >
          {['USD', 'NGN'].map((code) => (
            <option key={code} value={code}>
              {code}
            </option>
          ))}
        </SelectField>
        <Agreement termsUrl={termsUrl} />
        <Button type="submit" disabled={!isValid || sending.isPending} className="sm:col-span-2">
          {t(sending.isPending ? 'signUp.submitting' : 'signUp.submit')}
        </Button>
      </ShortForm>
    </AuthCard>
  )
}

function Agreement({ termsUrl }: { readonly termsUrl: string | null }) {
  const { t } = useTranslation('registration')
  const error = useKitError('agree_with_tos')
  return (
    <div className="flex flex-col gap-1 sm:col-span-2">
      <div className="flex min-h-7 items-start gap-2.5">
        <input
          id="agree"
          type="checkbox"
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : 'agree-error'}
          className="accent-primary mt-0.5 size-4 shrink-0"
          {...useFormKit().form.register('agree_with_tos')}
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
      {error !== undefined && (
        <p id="agree-error" className="text-destructive pl-6.5 text-xs">
          {error}
        </p>
      )}
    </div>
  )
}
