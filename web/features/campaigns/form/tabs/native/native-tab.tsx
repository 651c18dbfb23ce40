import { useTranslation } from 'react-i18next'
import { useFormBase, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { CreativeHead } from '@/features/campaigns/form/creatives/creative-switch'
import { CreativeName, CreativeText } from '@/features/campaigns/form/creatives/creative-text'
import { NativeAdPreview } from '@/features/campaigns/creatives/ad-previews'
import { ServingDecision } from '@/features/campaigns/creatives/serving-decision'
import { Split } from '@/features/campaigns/form/creatives/split'
import { FormSection } from '../form-section.tsx'
import { AppFields } from './app-fields.tsx'
import { NativeMedia } from './native-media.tsx'
import { isAppInstall, NATIVE_LIMITS, nativeSlice } from './native-slice.ts'

const half = { className: 'col-span-1' }

const UNTOUCHED = nativeSlice.empty('awareness')

export default function NativeTab() {
  const { t } = useTranslation('creatives')
  const { campaign } = useFormBase()
  const appInstall = isAppInstall(useFormValue('goal'))
  return (
    <>
      <CreativeHead
        slice="native"
        untouched={UNTOUCHED}
        title={t('native.title')}
        lead={t('native.lead')}
        decision={<ServingDecision decision={campaign?.native_ad?.creativeServingDecision} />}
      />
      <Split preview={<Preview appInstall={appInstall} />}>
        <FormSection title={t('native.texts')}>
          <CreativeName name="native.creativeName" label={t('creativeName')} help={t('creativeNameHelp')} />
          <CreativeText name="native.headline" label={t('headline')} max={NATIVE_LIMITS.headline} />
          <CreativeText name="native.body" label={t('native.description')} max={NATIVE_LIMITS.body} rows={3} />
          <CreativeText
            name="native.callToAction"
            label={t('callToAction')}
            max={NATIVE_LIMITS.callToAction}
            {...(appInstall ? {} : half)}
          />
          {appInstall ? (
            <AppFields />
          ) : (
            <CreativeText name="native.advertiser" label={t('native.advertiser')} max={NATIVE_LIMITS.advertiser} {...half} />
          )}
        </FormSection>
        <NativeMedia appInstall={appInstall} />
      </Split>
    </>
  )
}

/** A separate component, so that keystrokes re-render only the preview. */
function Preview({ appInstall }: { readonly appInstall: boolean }) {
  return <NativeAdPreview ad={useFormValue('native')} appInstall={appInstall} />
}
