import { useQuery } from '@tanstack/react-query'
import { Controller, useFormContext, useFormState, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { TAX_MODES } from '#domain/invoice/tax'
import { INVOICING_LIMITS, type InvoicingText } from '#domain/white-label/invoicing'
import { campaignQueries } from '@/data/campaign-queries'
import { useLanguage } from '@/i18n/use-language'
import { CountryPicker } from '@/components/form/country-picker'
import { FieldInput, FieldSelect, FieldTextarea, LabelledField } from '@/components/form/labelled-field'
import type { BrandingValues, InvoicingValues } from './branding-values.ts'
import { Section } from './section.tsx'

/** Texts of invoices: the seller, how to pay, and the tax. */
export function InvoicingFields() {
  const { t } = useTranslation('customization')
  return (
    <>
      <Section title={t('section.seller')} text={t('section.sellerText')}>
        <Text name="legal_name" />
        <Text name="address_line_1" />
        <Text name="address_line_2" />
        <div className="grid gap-5 sm:grid-cols-2">
          <Text name="postal_code" />
          <Text name="city" />
        </div>
        <Country />
        <Text name="tax_number" />
        <Text name="email" />
      </Section>
      <Section title={t('section.payment')} text={t('section.paymentText')}>
        <Text name="bank_name" />
        <div className="grid gap-5 sm:grid-cols-2">
          <Text name="bank_account" />
          <Text name="bank_code" />
        </div>
        <Text name="payment_link" />
        <Terms />
      </Section>
      <Section title={t('section.tax')} text={t('section.taxText')}>
        <Tax />
      </Section>
    </>
  )
}

type TextName = Exclude<InvoicingText, 'country' | 'payment_terms'>
const HELPED: ReadonlySet<keyof InvoicingValues> = new Set(['legal_name', 'tax_number', 'email', 'payment_link'])
const TYPES: Partial<Readonly<Record<TextName, string>>> = { email: 'email', payment_link: 'url' }

function useField(name: keyof InvoicingValues) {
  const { t } = useTranslation('customization')
  const { control } = useFormContext<BrandingValues>()
  const { errors } = useFormState({ control, name: `invoicing.${name}` })
  return {
    label: t(`invoicing.${name}`),
    help: HELPED.has(name) ? t(`invoicingHelp.${name as 'legal_name'}`) : undefined,
    error: errors.invoicing?.[name]?.message,
  }
}

function Text({ name }: { readonly name: TextName }) {
  const { register } = useFormContext<BrandingValues>()
  return (
    <LabelledField {...useField(name)}>
      <FieldInput {...register(`invoicing.${name}`)} type={TYPES[name]} maxLength={INVOICING_LIMITS[name]} autoComplete="off" />
    </LabelledField>
  )
}

function Terms() {
  const { register } = useFormContext<BrandingValues>()
  return (
    <LabelledField {...useField('payment_terms')}>
      <FieldTextarea {...register('invoicing.payment_terms')} maxLength={INVOICING_LIMITS.payment_terms} rows={3} />
    </LabelledField>
  )
}

function Country() {
  const { t } = useTranslation('customization')
  const { control } = useFormContext<BrandingValues>()
  const { data: countries } = useQuery(campaignQueries.countries(useLanguage()))
  const field = useField('country')
  return (
    <LabelledField {...field}>
      <Controller
        control={control}
        name="invoicing.country"
        render={({ field: { ref, value, onChange, onBlur } }) => (
          <CountryPicker
            countries={countries}
            ref={ref}
            label={field.label}
            value={value}
            none={t('noCountry')}
            onPick={onChange}
            onBlur={onBlur}
          />
        )}
      />
    </LabelledField>
  )
}

function Tax() {
  const { t } = useTranslation('customization')
  const { control, register } = useFormContext<BrandingValues>()
  const mode = useWatch({ control, name: 'invoicing.tax_mode' })
  const [modeField, percentField] = [useField('tax_mode'), useField('percent')]
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <LabelledField {...modeField}>
        <FieldSelect {...register('invoicing.tax_mode')} value={mode}>
          {TAX_MODES.map((one) => (
            <option key={one} value={one}>
              {t(`tax.${one}`)}
            </option>
          ))}
        </FieldSelect>
      </LabelledField>
      {mode !== 'none' && (
        <LabelledField {...percentField}>
          <FieldInput
            {...register('invoicing.percent')}
            inputMode="decimal"
            maxLength={6}
            autoComplete="off"
            className="tabular-nums"
          />
        </LabelledField>
      )}
    </div>
  )
}
