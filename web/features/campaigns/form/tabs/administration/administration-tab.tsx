import type { ComponentProps } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { LabelledField, FieldTextarea } from '@/components/form/labelled-field'
import { formatMinute } from '@/i18n/format'
import { useCampaignForm, useFieldError, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { FormCheck, FormInput, FormMoney } from '@/features/campaigns/form/form-field'
import { FormSection } from '../form-section.tsx'
import { AccountManagerField, useCampaignStaff } from './account-manager-field.tsx'
import { CategoriesChoice } from './categories-choice.tsx'
import { CommentsPanel } from './comments-panel.tsx'
import { ExchangesField } from './exchanges-field.tsx'
import { MarginFields } from './margin-fields.tsx'
import { MultipliersField } from './multipliers-field.tsx'
import { OwnerFields } from './owner-fields.tsx'
import { SlotsField } from './slots-field.tsx'
import { TestDevicesField } from './test-devices-field.tsx'
import '@/i18n/texts/owner'

export default function AdministrationTab() {
  const staff = useCampaignStaff()
  return <OwnerFields>{() => <AdministrationFields staff={staff} />}</OwnerFields>
}

export function AdministrationFields({ staff }: Partial<ComponentProps<typeof AccountManagerField>>) {
  const { t } = useTranslation('administration')
  const { campaign } = useFormBase()
  const tagged = campaign?.placard_tag_date ?? null
  return (
    <>
      <FormSection title={t('pricing')} lead={t('pricingLead')}>
        <FormMoney name="administration.cpx" label={t('cpx')} />
        <FormInput name="administration.t" label={t('t')} help={t('tHelp')} inputMode="decimal" />
        <MarginFields />
      </FormSection>
      <FormSection title={t('ownership')}>
        <AccountManagerField staff={staff} />
        <CategoriesField />
        <ExchangesField />
      </FormSection>
      <FormSection title={t('links')}>
        <FormInput
          name="administration.impressionUrl"
          type="url"
          inputMode="url"
          label={t('impressionUrl')}
          help={t('impressionUrlHelp')}
          placeholder="https://"
          className="col-span-2"
        />
        <FormInput name="administration.dealLink" label={t('dealLink')} className="col-span-2" />
      </FormSection>
      <FormSection title={t('delivery')}>
        <FormCheck
          name="administration.verified"
          label={t('verified')}
          help={tagged === null ? t('verifiedNever') : t('verifiedSince', { date: formatMinute(tagged) })}
        />
        <FormCheck name="administration.disregardTargeting" label={t('disregardTargeting')} help={t('disregardTargetingHelp')} />
        <SlotsField />
      </FormSection>
      <FormSection title={t('models')}>
        <FormInput name="administration.telcoModel" label={t('telcoModel')} />
        <FormInput name="administration.noTelcoModel" label={t('noTelcoModel')} />
        <FormInput name="administration.dummyModels" label={t('dummyModels')} className="col-span-2" />
        <TestDevicesField />
      </FormSection>
      <FormSection title={t('multipliers')}>
        <MultipliersField />
      </FormSection>
      <FormSection title={t('html')} lead={t('htmlLead')}>
        <CustomHtml />
      </FormSection>
      <CommentsPanel />
    </>
  )
}

function CustomHtml() {
  const { t } = useTranslation('administration')
  const { register } = useCampaignForm()
  const { readOnly } = useFormBase()
  const error = useFieldError('administration.customHtml')
  return (
    <LabelledField label={t('customHtml')} error={error} className="col-span-2 [&_label]:sr-only">
      <FieldTextarea
        readOnly={readOnly}
        spellCheck={false}
        autoComplete="off"
        className="text-[0.8125rem]/4.5 h-40 font-mono"
        {...register('administration.customHtml')}
      />
    </LabelledField>
  )
}

function CategoriesField() {
  const { control, setValue } = useCampaignForm()
  const { readOnly } = useFormBase()
  const chosen = useWatch({ control, name: 'administration.categories' })
  const error = useFieldError('administration.categories')
  return (
    <CategoriesChoice
      className="col-span-2"
      chosen={chosen}
      readOnly={readOnly}
      error={error}
      onChange={(keys) => setValue('administration.categories', keys, { shouldDirty: true })}
    />
  )
}
