import { useTranslation } from 'react-i18next'
import { GOALS_BY_TYPE } from '#domain/campaign/content/options'
import { localDay } from '#domain/campaign/content/dates'
import { Later } from '@/components/later'
import { useFormBase, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { FormDate, FormInput, FormMoney, FormSelect } from '@/features/campaigns/form/form-field'
import { BidField } from './bid-field.tsx'
import { CountryField } from './country-field.tsx'
import { FormSection } from '../form-section.tsx'
import { GoalFields } from './goal-fields.tsx'
import { MoreSettings } from './more-settings.tsx'
import { useNow } from '@/lib/clock'
import { isDay } from '@/lib/date-range'

const typeOf = (type: string | null) =>
  type === 'consideration' || type === 'conversion' || type === 'other' ? type : ('awareness' as const)

export function BasicInfoTab() {
  const { t } = useTranslation('form')
  const { tabs } = useFormBase()
  return (
    <>
      <FormSection title={t('basics')}>
        <FormInput name="name" label={t('name')} className="col-span-2" />
        <CountryField className="col-span-2" />
      </FormSection>
      <Later>
        <ScheduleSection />
        <DestinationSection />
        {!tabs.audio && <MoreSettings />}
      </Later>
    </>
  )
}

function ScheduleSection() {
  const { t } = useTranslation('form')
  const { campaign, zone } = useFormBase()
  const startDate = useFormValue('startDate')
  const now = useNow(60_000)
  // Days are in the campaign's time zone or, before it has a country, in the user's.
  const today = localDay(new Date(now).toISOString(), zone ?? -60 * new Date(now).getTimezoneOffset())
  const total = campaign?.budget_type_key === 1
  return (
    <FormSection title={t('schedule')}>
      <FormDate name="startDate" label={t('startDate')} help={t('startDateHelp')} hint={t('optional')} min={today} />
      <FormDate
        name="endDate"
        label={t('endDate')}
        help={t('endDateHelp')}
        hint={t('optional')}
        min={isDay(startDate) && startDate > today ? startDate : today}
      />
      <FormMoney
        name="budget"
        label={t(total ? 'totalBudget' : 'dailyBudget')}
        help={t(total ? 'totalBudgetHelp' : 'dailyBudgetHelp')}
      />
      <BidField />
    </FormSection>
  )
}

function DestinationSection() {
  const { t } = useTranslation('form')
  const { type, tabs } = useFormBase()
  const chosen = useFormValue('goal')
  const objective = typeOf(type)
  return (
    <FormSection title={t('destination')}>
      <FormSelect name="goal" label={t('goal')} hint={`${t('objective')}: ${t(`type.${objective}`)}`}>
        <option value="" disabled hidden>
          {t('goalPick')}
        </option>
        {GOALS_BY_TYPE[objective].map((goal) => (
          <option key={goal} value={goal}>
            {t(`goals.${goal}`)}
          </option>
        ))}
      </FormSelect>
      {!tabs.audio && (
        <FormInput
          name="productUrl"
          type="url"
          inputMode="url"
          label={t('landingPage')}
          help={t('landingPageHelp')}
          placeholder="https://"
          className="col-span-2"
        />
      )}
      {tabs.audio && <p className="text-muted-foreground text-[0.8125rem]/4.5 col-span-2">{t('audioLanding')}</p>}
      <GoalFields goal={chosen} />
    </FormSection>
  )
}
