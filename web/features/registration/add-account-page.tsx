import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { addAccount } from '#contract/registration'
import { ACCOUNT_SOURCES, ACCOUNT_TYPES } from '#domain/account/settings'
import { DEFAULT_REWARDED_RATE, MOST_REWARDED_RATE } from '#domain/registration/account-details'
import { languageKeyOf, languageOf, LANGUAGES } from '#domain/kit/languages'
import { currenciesOf, faultOf } from '#domain/registration/form'
import { PRODUCT_NAME } from '#domain/white-label/white-label'
import { CountryField } from '@/components/form/choice-fields'
import { SelectField, TextField } from '@/components/form/fields'
import { markSaved, ShortForm, showFaults, useShortForm, type FormFaults } from '@/components/form/short-form'
import { Page } from '@/components/page/page'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { campaignQueries } from '@/data/campaign-queries'
import { call } from '@/data/client'
import { fieldFaults } from '@/data/field-faults'
import { whiteLabelQueries } from '@/data/white-label-queries'
import { plainDecimal } from '@/i18n/decimal'
import { errorText } from '@/i18n/error-text'
import { useLanguage } from '@/i18n/use-language'
import { toast } from '@/lib/toast'
import { can } from '@/session/can'
import { useMe, useWhitelabel } from '@/session/session-queries'
import { useFaultText } from './field-faults.ts'
import '@/i18n/texts/registration'

type Values = { readonly [K in keyof typeof EMPTY]: string }
type Name = keyof Values

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
/** White-labels that are named by their country until they have a name of their own. */
const BUILT_IN = ['am', 'ng', 'tn', 'dsp'] as const

/** The chosen currency, or the first where the white-label does not offer it. */
const currencyOf = ({ whitelabel_id, currency }: Pick<Values, 'whitelabel_id' | 'currency'>): string => {
  const offered = currenciesOf(whitelabel_id, 'staff')
  return offered.includes(currency) ? currency : (offered[0] ?? '')
}
/** NaN for an empty field. */
const rateOf = ({ rewarded_ads_cpm_rate: typed }: Values): number =>
  typed.trim() === '' ? Number.NaN : Number(plainDecimal(typed))

/** `/admin/accounts/add`: an account that staff add. It is open at once, and its owner gets a mail (decisions G-180). */
export function AddAccountPage() {
  const { t } = useTranslation(['registration', 'common'])
  const navigate = useNavigate()
  const me = useMe()
  const isAdmin = can(me, 'whitelabel.manage')
  const { name: ownName } = useWhitelabel()
  const whiteLabels = useQuery({ ...whiteLabelQueries.list(), enabled: isAdmin }).data?.data
  const language = useLanguage()
  const countries = useQuery(campaignQueries.countries(language))
  const textOf = useFaultText()
  const isCountry = (code: string) => countries.data === undefined || countries.data.some(({ iso_code }) => iso_code === code)
  const check = (values: Values): FormFaults<Values> => {
    const context = { whitelabelId: values.whitelabel_id, by: 'staff' as const, isCountry }
    const person = PERSON_FIELDS.flatMap((name) => {
      const key = faultOf(name, { ...values, currency: currencyOf(values), agree_with_tos: true }, context)
      return key === null ? [] : [[name, t(`registration:fault.${key}`)] as const]
    })
    const rate = rateOf(values)
    return {
      ...Object.fromEntries(person),
      rewarded_ads_cpm_rate: rate > 0 && rate <= MOST_REWARDED_RATE ? null : t('registration:fault.rate'),
      other: values.source === OWN_TEXT && values.other.trim() === '' ? t('registration:fault.required') : null,
    }
  }
  const form = useShortForm<Values>({ ...EMPTY, whitelabel_id: me.whitelabel_id }, check)
  const [whitelabelId, source, currency] = useWatch({
    control: form.control,
    name: ['whitelabel_id', 'source', 'currency'],
  })
  const currencies = currenciesOf(whitelabelId, 'staff')

  const adding = useMutation({
    meta: { silent: true },
    mutationFn: (values: Values) => {
      const { other, language: spoken, rewarded_ads_cpm_rate: _, source: channel, type, ...person } = values
      return call(addAccount, {
        body: {
          ...person,
          currency: currencyOf(values),
          agree_with_tos: true,
          user_type_key: 1,
          source: channel === OWN_TEXT ? other.trim() : channel,
          rewarded_ads_cpm_rate: rateOf(values),
          type: ACCOUNT_TYPES.find((known) => known === type) ?? null,
          language_key: languageKeyOf(languageOf(Number(spoken))),
        },
      })
    },
    onSuccess: async () => {
      toast.success(t('registration:add.done'))
      markSaved(form)
      await navigate({ to: '/admin/accounts' })
    },
    onError: (error) => void showFaults(form, error, { textOf }),
  })
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
  const failedOtherwise = adding.isError && Object.keys(fieldFaults(adding.error)).length === 0
  return (
    <Page
      title={t('registration:add.title')}
      breadcrumb={[
        <Link key="accounts" to="/admin/accounts">
          {t('registration:add.crumb')}
        </Link>,
      ]}
    >
      <ShortForm
        form={form}
        onSubmit={(values) => adding.mutate(values)}
        className="flex w-full max-w-3xl flex-col gap-4 2xl:mx-auto"
      >
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
            <TextField<Name> name="first_name" label={t('registration:signUp.firstName')} required />
            <TextField<Name> name="last_name" label={t('registration:signUp.lastName')} required />
            <TextField<Name> name="email" label={t('registration:signUp.email')} required inputMode="email" />
            <TextField<Name> name="phone" label={t('registration:signUp.phone')} required type="tel" />
            <TextField<Name>
              name="position"
              label={t('registration:add.position')}
              hint={t('registration:signUp.optional')}
              maxLength={300}
            />
            <SelectField<Name> name="language" label={t('registration:add.language')}>
              {LANGUAGES.map(({ key, code, name }) => (
                <option key={code} value={key} lang={code}>
                  {name}
                </option>
              ))}
            </SelectField>
          </>,
        )}
        {section(
          t('registration:add.business'),
          <>
            <TextField<Name>
              name="company_name"
              label={t('registration:signUp.company')}
              hint={t('registration:signUp.optional')}
            />
            <CountryField<Name> name="country" label={t('registration:signUp.country')} required countries={countries.data} />
            <SelectField<Name> name="type" label={t('registration:add.type')}>
              {pick}
              {ACCOUNT_TYPES.map((type) => (
                <option key={type} value={type}>
                  {t(`registration:add.typeName.${type}`)}
                </option>
              ))}
            </SelectField>
            <TextField<Name>
              name="niche"
              label={t('registration:add.niche')}
              hint={t('registration:signUp.optional')}
              maxLength={300}
            />
            <SelectField<Name> name="source" label={t('registration:add.source')}>
              {pick}
              {ACCOUNT_SOURCES.map((source) => (
                <option key={source} value={source}>
                  {source === '{product}_ads'
                    ? t('registration:add.sourceName.product_ads', { product: t('common:productName') })
                    : t(`registration:add.sourceName.${source}`)}
                </option>
              ))}
            </SelectField>
            {source === OWN_TEXT && (
              <TextField<Name>
                name="other"
                label={t('registration:add.other')}
                required
                maxLength={300}
                placeholder={t('registration:add.otherPlaceholder')}
              />
            )}
          </>,
        )}
        {section(
          t('registration:add.terms'),
          <>
            <SelectField<Name> name="whitelabel_id" label={t('registration:add.whitelabel')} disabled={!isAdmin}>
              {(whiteLabels ?? [{ id: me.whitelabel_id, name: ownName }]).map(({ id, name }) => {
                const builtIn = BUILT_IN.find((known) => known === id && name === PRODUCT_NAME)
                return (
                  <option key={id} value={id}>
                    {builtIn === undefined ? `${name} (${id})` : t(`registration:add.whitelabelName.${builtIn}`)}
                  </option>
                )
              })}
            </SelectField>
            <SelectField<Name>
              name="currency"
              label={t('registration:signUp.currency')}
              disabled={currencies.length < 2}
              shown={currencyOf({ whitelabel_id: whitelabelId, currency })}
            >
              {currencies.map((code) => (
                <option key={code} value={code}>
                  {code}
                </option>
              ))}
            </SelectField>
            <TextField<Name>
              name="rewarded_ads_cpm_rate"
              label={t('registration:add.rate')}
              inputMode="decimal"
              inputClassName="tabular-nums"
            />
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
      </ShortForm>
    </Page>
  )
}
