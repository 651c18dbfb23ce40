import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useFormState, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { changeLegalEntity, type AccountRecord } from '#contract/accounts'
import { TAX_MODES } from '#domain/invoice/tax'
import { campaignQueries } from '@/data/campaign-queries'
import { useLanguage } from '@/i18n/use-language'
import { CountryField } from '@/components/form/choice-fields'
import { SelectField, TextField } from '@/components/form/fields'
import { markSaved, ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { NotFound } from '@/components/page/not-found'
import { Page } from '@/components/page/page'
import { isMissing } from '@/data/app-error'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { accountQueries } from '@/data/account-queries'
import { call } from '@/data/client'
import { faultText } from '@/i18n/error-text'
import { errorToast } from '@/i18n/error-toast'
import { basisPoints, typedPercent } from '@/i18n/percent'
import { toast } from '@/lib/toast'
import '@/i18n/texts/accounts'

const route = getRouteApi('/_app/admin/legal-entity/user/$id')

/** `/admin/legal-entity/user/{id}`: whom invoices of an account name. */
export function LegalEntityPage() {
  const { t } = useTranslation('accounts')
  const { id } = route.useParams()
  const { data: account, error, refetch } = useQuery(accountQueries.ofUser(id))
  if (isMissing(error)) return <NotFound />
  return (
    <Page
      title={t('legalPage.title')}
      breadcrumb={[
        <Link key="accounts" to="/admin/accounts">
          {t('title')}
        </Link>,
        <Link key="account" to="/admin/user/details/$id" params={{ id }}>
          {account?.space_name ?? '…'}
        </Link>,
      ]}
      failed={
        error !== null && account === undefined ? { title: t('legalPage.error'), error, onRetry: () => void refetch() } : null
      }
    >
      {account === undefined ? (
        <Skeleton className="h-48 w-full max-w-xl 2xl:mx-auto" />
      ) : (
        <LegalForm key={account.id} account={account} userId={id} />
      )}
    </Page>
  )
}

const TEXTS = [
  ['legal_entity_name', 300],
  ['tin_number', 100],
  ['address_line_1', 300],
  ['address_line_2', 300],
  ['city', 100],
  ['postal_code', 20],
  ['invoice_email', 320],
] as const

type Values = Readonly<Record<(typeof TEXTS)[number][0] | 'country' | 'tax_mode' | 'percent', string>>
type Name = keyof Values

const valuesOf = (account: AccountRecord): Values => ({
  legal_entity_name: account.legal_entity_name ?? '',
  tin_number: account.tin_number ?? '',
  address_line_1: account.address_line_1 ?? '',
  address_line_2: account.address_line_2 ?? '',
  city: account.city ?? '',
  postal_code: account.postal_code ?? '',
  invoice_email: account.invoice_email ?? '',
  country: account.legal_country ?? '',
  tax_mode: account.tax_mode ?? '',
  percent: account.tax_rate === null ? '' : typedPercent(account.tax_rate),
})

/** Only the changed fields beside the name and the number: others may have changed them in the meantime. */
function bodyOf(values: Values, stored: Values) {
  const changed = (name: Name) => values[name] !== stored[name]
  const rest = (['address_line_1', 'address_line_2', 'city', 'postal_code', 'invoice_email', 'country'] as const).filter(changed)
  const tax = changed('tax_mode') || changed('percent')
  return {
    legal_entity_name: values.legal_entity_name.trim(),
    tin_number: values.tin_number.trim(),
    ...Object.fromEntries(rest.map((name) => [name, values[name].trim()])),
    ...(tax
      ? { tax_mode: TAX_MODES.find((mode) => mode === values.tax_mode) ?? null, tax_rate: basisPoints(values.percent) }
      : {}),
  }
}

function LegalForm({ account, userId }: { readonly account: AccountRecord; readonly userId: string }) {
  const { t } = useTranslation('accounts')
  const { data: countries } = useQuery(campaignQueries.countries(useLanguage()))
  const form = useShortForm(valuesOf(account))
  const { isDirty, defaultValues } = useFormState({ control: form.control })
  const taxMode = useWatch({ control: form.control, name: 'tax_mode' })
  const { mutate, isPending } = useMutation({
    meta: { invalidates: [accountQueries.all()], silent: true },
    mutationFn: (values: Values) =>
      call(changeLegalEntity, { body: { user_id: userId, ...bodyOf(values, { ...values, ...defaultValues }) } }),
    onSuccess: (_, values) => {
      toast.success(t('legalPage.done'))
      markSaved(form, values)
    },
    onError: (error) => {
      const isShown = showFaults(form, error, {
        fieldOf: (path) => (path === 'tax_rate' ? 'percent' : path),
        textOf: (fault, field) => (field === 'percent' ? t('legalPage.percentRange') : faultText(fault)),
      })
      if (!isShown) errorToast(error)
    },
  })
  const text = ([name, most]: (typeof TEXTS)[number], help?: string) => (
    <TextField<Name>
      key={name}
      name={name}
      label={t(`fields.${name}`)}
      {...(help !== undefined && { help })}
      maxLength={most}
      type={name === 'invoice_email' ? 'email' : 'text'}
      inputClassName={name === 'tin_number' ? 'tabular-nums' : undefined}
    />
  )
  const [legalName, tin, line1, line2, city, postalCode, email] = TEXTS
  return (
    <ShortForm
      form={form}
      onSubmit={(values) => mutate(values)}
      className="border-border bg-card flex w-full max-w-xl flex-col gap-4 rounded-lg border p-6 2xl:mx-auto"
    >
      {text(legalName, t('legalPage.help'))}
      {text(tin)}
      {text(line1)}
      {text(line2)}
      <div className="grid gap-4 sm:grid-cols-2">
        {text(postalCode)}
        {text(city)}
      </div>
      <CountryField<Name> name="country" label={t('fields.country')} countries={countries} none={t('unset')} />
      {text(email, t('legalPage.emailHelp'))}
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField<Name> name="tax_mode" label={t('fields.tax_mode')}>
          <option value="">{t('legalPage.tax.usual')}</option>
          {TAX_MODES.map((mode) => (
            <option key={mode} value={mode}>
              {t(`legalPage.tax.${mode}`)}
            </option>
          ))}
        </SelectField>
        {(taxMode === 'inclusive' || taxMode === 'exclusive') && (
          <TextField<Name>
            name="percent"
            label={t('legalPage.percent')}
            help={t('legalPage.percentHelp')}
            inputMode="decimal"
            maxLength={6}
            inputClassName="tabular-nums"
          />
        )}
      </div>
      <div>
        <Button type="submit" disabled={isPending || !isDirty}>
          {t('legalPage.save')}
        </Button>
      </div>
    </ShortForm>
  )
}
