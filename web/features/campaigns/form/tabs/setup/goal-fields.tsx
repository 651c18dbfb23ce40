import { useTranslation } from 'react-i18next'
import { useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { FormInput, FormSelect } from '@/features/campaigns/form/form-field'
import { AppInfo } from './app-info.tsx'
import { SecondaryEvents } from './secondary-events.tsx'

const APP_PLATFORMS = ['ios', 'android'] as const
const MMPS = ['adjust', 'appsflyer'] as const

/** Fields that a goal requires beyond the address (campaigns.md §5). */
export function GoalFields({ goal }: { readonly goal: string }) {
  const { t } = useTranslation('form')
  const app = goal === 'APP_INSTALLS' || goal === 'APP_CUSTOM_EVENT'
  const customEvent = goal === 'WEBSITE_CUSTOM_EVENT' || goal === 'APP_CUSTOM_EVENT'
  return (
    <>
      {goal === 'WEB_STANDARD_CONVERSION' && <ConversionFields />}
      {app && (
        <>
          <FormSelect name="goalFields.appPlatform" label={t('appPlatform')}>
            <option value="">{t('appPlatformPick')}</option>
            {APP_PLATFORMS.map((platform) => (
              <option key={platform} value={platform}>
                {t(`platform.${platform}`)}
              </option>
            ))}
          </FormSelect>
          <FormSelect name="goalFields.mmp" label={t('mmp')}>
            <option value="">{t('mmpPick')}</option>
            {MMPS.map((mmp) => (
              <option key={mmp} value={mmp}>
                {t(`mmps.${mmp}`)}
              </option>
            ))}
          </FormSelect>
          <FormInput name="goalFields.bundleId" label={t('bundleId')} spellCheck={false} />
          <FormInput name="goalFields.appName" label={t('appName')} hint={t('optional')} />
          <AppInfo />
          <FormInput
            name="setup.trackingUrl"
            type="url"
            label={t('setup.trackingUrl')}
            help={t('setup.trackingUrlHelp')}
            hint={t('optional')}
            placeholder="https://"
            className="col-span-2"
          />
        </>
      )}
      {customEvent && (
        <FormInput
          name="goalFields.customActionName"
          label={t('customActionName')}
          help={t('customActionNameHelp')}
          className="col-span-2"
        />
      )}
      {goal === 'WEBSITE_CUSTOM_EVENT' && <SecondaryEvents />}
    </>
  )
}

/** A conversion is either a visited page or a parameter in a page's URL. */
function ConversionFields() {
  const { t } = useTranslation('form')
  const urlType = useFormValue('setup.urlType')
  return (
    <>
      <FormSelect name="setup.urlType" label={t('setup.urlType')}>
        <option value="conversion">{t('setup.urlTypes.conversion')}</option>
        <option value="parameter">{t('setup.urlTypes.parameter')}</option>
      </FormSelect>
      {urlType === 'conversion' ? (
        <FormInput
          name="goalFields.conversionUrl"
          type="url"
          label={t('conversionUrl')}
          help={t('conversionUrlHelp')}
          placeholder="https://"
          className="col-span-2"
        />
      ) : (
        <>
          <FormInput name="setup.optionDomain" label={t('setup.optionDomain')} placeholder="example.com" spellCheck={false} />
          <FormSelect name="setup.optionCondition" label={t('setup.optionCondition')}>
            <option value="contains">{t('setup.conditions.contains')}</option>
            <option value="does_not_contain">{t('setup.conditions.does_not_contain')}</option>
          </FormSelect>
          <FormInput name="setup.optionValue" label={t('setup.optionValue')} placeholder="order=paid" spellCheck={false} />
        </>
      )}
    </>
  )
}
