import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Controller, FormProvider, useForm, useFormContext, useFormState, useWatch, type FieldErrors } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { readDecimal } from '@/i18n/decimal'
import { LANGUAGES } from '#domain/kit/languages'
import { parseIpRange } from '#domain/kit/ip-range'
import { isKeyDays, KEY_DAYS } from '#domain/kit/key-life'
import { isIdleLimit, WHITE_LABEL_LIMITS } from '#domain/white-label/white-label'
import type { WhiteLabelOut } from '#contract/white-label'
import { FieldInput, FieldSelect, FieldTextarea, LabelledField } from '@/components/form/labelled-field'
import { FormGuard } from '@/components/form/form-guard'
import { showFaults } from '@/components/form/short-form'
import { StickyFooter } from '@/components/form/sticky-footer'
import { ToggleRow } from '@/components/form/toggle-row'
import { Button } from '@/components/ui/button'
import { faultText } from '@/i18n/error-text'
import { errorToast } from '@/i18n/error-toast'
import { toast } from '@/lib/toast'
import { BrandPreview } from './brand-preview.tsx'
import {
  changesOf,
  networksIn,
  COLOR_FIELDS,
  fieldOf,
  timezoneName,
  valuesOf,
  zonesWith,
  type BrandingField,
  type BrandingValues,
} from './branding-values.ts'
import { ColorField } from './color-field.tsx'
import { customizationMutations } from './customization-queries.ts'
import { DocumentPreview } from './document-preview.tsx'
import { InvoicingFields } from './invoicing-fields.tsx'
import { LogoField } from './logo-field.tsx'
import { Section } from './section.tsx'

const IDLE = WHITE_LABEL_LIMITS.idle

/** The form of a white-label's branding and settings, with a preview of what is typed. */
export function BrandingForm({ whiteLabel }: { readonly whiteLabel: WhiteLabelOut }) {
  const { t } = useTranslation('customization')
  const form = useForm<BrandingValues>({ defaultValues: valuesOf(whiteLabel) })
  const save = useMutation(customizationMutations.save(whiteLabel.id))
  const submit = form.handleSubmit((values) => {
    if (save.isPending) return
    save.mutate(changesOf(values, valuesOf(whiteLabel)), {
      onSuccess: (saved) => {
        form.reset(valuesOf(saved))
        toast.success(t(saved.approval_id === null ? 'saved' : 'limitWaits'))
      },
      onError: (error) => refuse(error),
    })
  })

  function refuse(error: Error) {
    const isShown = showFaults(form, error, {
      fieldOf,
      textOf: (fault, field) => (field === 'invoicing.percent' ? t('percent') : faultText(fault)),
    })
    if (!isShown) errorToast(error)
  }

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex grow flex-col">
        <div className="grid items-start gap-8 px-4 pt-6 pb-8 lg:px-8 xl:grid-cols-[minmax(0,40rem)_minmax(18rem,24rem)] 2xl:grid-cols-[minmax(0,40rem)_24rem_minmax(0,40rem)]">
          <div className="flex flex-col gap-6">
            <Identity zone={whiteLabel.time_zone} offset={whiteLabel.timezone_offset_seconds} />
            <Section title={t('section.colors')} text={t('section.colorsText')}>
              <div className="grid gap-5 sm:grid-cols-2">
                {COLOR_FIELDS.map((name) => (
                  <ColorField key={name} name={name} />
                ))}
              </div>
            </Section>
            <Section title={t('section.links')}>
              <Text name="terms" type="url" />
              <Text name="help" type="url" />
            </Section>
            <Section title={t('section.rules')}>
              <Toggle name="ownApproval" />
              <Toggle name="secondFactor" />
              <Toggle name="rolesByTwo" />
              <IdleLimit />
              <Networks />
              <KeyDays />
              <Toggle name="keysExchangeOnly" />
              <Toggle name="switchReason" />
            </Section>
            <Section title={t('section.invoices')}>
              <Toggle name="invoiceAutomatically" />
              <Limit />
            </Section>
            <InvoicingFields />
          </div>
          <div className="flex flex-col gap-8 xl:sticky xl:top-6 2xl:contents">
            <BrandPreview />
            <DocumentPreview id={whiteLabel.id} />
          </div>
        </div>
        <Footer pending={save.isPending} />
      </form>
      <FormGuard form={form} />
    </FormProvider>
  )
}

function Identity({ zone, offset }: { readonly zone: string | null; readonly offset: number }) {
  const { t } = useTranslation('customization')
  return (
    <Section title={t('section.identity')}>
      <Text name="name" required />
      <LogoField />
      <div className="grid gap-5 sm:grid-cols-2">
        <Select name="timezone">
          {zone === null && <option value="">{t('fixedZone', { offset: timezoneName(offset) })}</option>}
          {zonesWith(zone ?? '').map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
        <Select name="locale">
          {LANGUAGES.map(({ wireLocale, code, name }) => (
            <option key={wireLocale} value={wireLocale} lang={code}>
              {name}
            </option>
          ))}
        </Select>
      </div>
    </Section>
  )
}

function Field({ name, children }: { readonly name: Labelled; readonly children: ReactNode }) {
  const { t } = useTranslation('customization')
  const { control } = useFormContext<BrandingValues>()
  const { errors }: { errors: FieldErrors<BrandingValues> } = useFormState({ control, name })
  return (
    <LabelledField label={t(`field.${name}`)} help={t(`fieldHelp.${name}`)} error={errors[name]?.message}>
      {children}
    </LabelledField>
  )
}

function Select({ name, children }: { readonly name: 'timezone' | 'locale'; readonly children: ReactNode }) {
  const { control, register } = useFormContext<BrandingValues>()
  const value = useWatch({ control, name })
  return (
    <Field name={name}>
      <FieldSelect {...register(name)} value={value}>
        {children}
      </FieldSelect>
    </Field>
  )
}

type Labelled = Extract<
  BrandingField,
  'name' | 'timezone' | 'locale' | 'terms' | 'help' | 'staffIdle' | 'staffNetworks' | 'keyDays' | 'approvalLimit'
>

function Text({
  name,
  ...props
}: {
  readonly name: Extract<Labelled, 'name' | 'terms' | 'help'>
  readonly type?: string
  readonly required?: boolean
}) {
  const { t } = useTranslation('customization')
  const { register } = useFormContext<BrandingValues>()
  const { required = false, type } = props
  return (
    <Field name={name}>
      <FieldInput
        {...register(name, { validate: (value) => !required || value.trim() !== '' || t('required') })}
        type={type}
        aria-required={required || undefined}
        maxLength={name === 'name' ? 300 : 2000}
        autoComplete="off"
      />
    </Field>
  )
}

function Limit() {
  const { t } = useTranslation('customization')
  const { register } = useFormContext<BrandingValues>()
  const isAmount = (value: string) => value.trim() === '' || (readDecimal(value) ?? -1) >= 0 || t('amount')
  return (
    <Field name="approvalLimit">
      <FieldInput
        {...register('approvalLimit', { validate: isAmount })}
        inputMode="decimal"
        maxLength={20}
        autoComplete="off"
        className="tabular-nums"
      />
    </Field>
  )
}

function IdleLimit() {
  const { t } = useTranslation('customization')
  const { register } = useFormContext<BrandingValues>()
  const isLimit = (value: string) => value.trim() === '' || isIdleLimit(readDecimal(value) ?? 0) || t('idleMinutes', IDLE)
  return (
    <Field name="staffIdle">
      <FieldInput
        {...register('staffIdle', { validate: isLimit })}
        inputMode="numeric"
        maxLength={4}
        autoComplete="off"
        className="tabular-nums"
      />
    </Field>
  )
}

function KeyDays() {
  const { t } = useTranslation('customization')
  const { register } = useFormContext<BrandingValues>()
  const { min, max } = KEY_DAYS
  const areDays = (value: string) => value.trim() === '' || isKeyDays(readDecimal(value) ?? 0) || t('keyDays', { min, max })
  return (
    <Field name="keyDays">
      <FieldInput
        {...register('keyDays', { validate: areDays })}
        inputMode="numeric"
        maxLength={3}
        autoComplete="off"
        className="tabular-nums"
      />
    </Field>
  )
}

function Networks() {
  const { t } = useTranslation('customization')
  const { register } = useFormContext<BrandingValues>()
  const areNetworks = (value: string) => {
    const unreadable = networksIn(value).filter((network) => parseIpRange(network) === null)
    return unreadable.length === 0 || t('networks', { networks: unreadable.slice(0, 3).join(', ') })
  }
  return (
    <Field name="staffNetworks">
      <FieldTextarea
        {...register('staffNetworks', { validate: areNetworks })}
        rows={3}
        maxLength={5000}
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-[0.8125rem]"
      />
    </Field>
  )
}

function Toggle({
  name,
}: {
  readonly name: 'ownApproval' | 'secondFactor' | 'rolesByTwo' | 'keysExchangeOnly' | 'switchReason' | 'invoiceAutomatically'
}) {
  const { t } = useTranslation('customization')
  const { control } = useFormContext<BrandingValues>()
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <ToggleRow
          label={t(`rule.${name}`)}
          help={t(`ruleHelp.${name}`)}
          checked={field.value}
          ref={field.ref}
          onChange={field.onChange}
        />
      )}
    />
  )
}

function Footer({ pending }: { readonly pending: boolean }) {
  const { t } = useTranslation('customization')
  const { control, reset } = useFormContext<BrandingValues>()
  const { isDirty } = useFormState({ control })
  return (
    <StickyFooter
      note={isDirty ? t('dirty') : null}
      start={
        <Button variant="ghost" disabled={!isDirty} onClick={() => reset()}>
          {t('discard')}
        </Button>
      }
    >
      <Button type="submit" disabled={!isDirty} aria-disabled={pending}>
        {t(pending ? 'saving' : 'save')}
      </Button>
    </StickyFooter>
  )
}
