import { useTranslation } from 'react-i18next'
import { FormInput, FormSelect } from '../form-field.tsx'

const APP_PLATFORMS = ['ios', 'android'] as const
const MMPS = ['adjust', 'appsflyer'] as const

/** What a goal needs beyond the address (campaign.md §5). */
export function GoalFields({ goal }: { readonly goal: string }) {
  const { t } = useTranslation('form')
  const app = goal === 'APP_INSTALLS' || goal === 'APP_CUSTOM_EVENT'
  const customEvent = goal === 'WEBSITE_CUSTOM_EVENT' || goal === 'APP_CUSTOM_EVENT'
  return (
    <>
      {goal === 'WEB_STANDARD_CONVERSION' && (
        <FormInput
          name="goalFields.conversionUrl"
          type="url"
          label={t('conversionUrl')}
          help={t('conversionUrlHelp')}
          placeholder="https://"
          className="col-span-2"
        />
      )}
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
    </>
  )
}
