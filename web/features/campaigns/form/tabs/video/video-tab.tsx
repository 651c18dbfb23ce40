import { useTranslation } from 'react-i18next'
import { useFormBase, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { CreativeHead } from '@/features/campaigns/form/creatives/creative-switch'
import { CreativeName, CreativeText } from '@/features/campaigns/form/creatives/creative-text'
import { VideoAdPreview } from '@/features/campaigns/creatives/ad-previews'
import { ServingDecision } from '@/features/campaigns/creatives/serving-decision'
import { Split } from '@/features/campaigns/form/creatives/split'
import { FormSection } from '../form-section.tsx'
import { VideoMedia } from './video-media.tsx'
import { VIDEO_LIMITS, videoSlice } from './video-slice.ts'

const UNTOUCHED = videoSlice.empty('awareness')

export default function VideoTab() {
  const { t } = useTranslation('creatives')
  const { campaign } = useFormBase()
  return (
    <>
      <CreativeHead
        slice="video"
        untouched={UNTOUCHED}
        title={t('video.title')}
        lead={t('video.lead')}
        decision={<ServingDecision decision={campaign?.video_ad?.creativeServingDecision} />}
      />
      <Split preview={<Preview />}>
        <FormSection title={t('video.texts')}>
          <CreativeName name="video.creativeName" label={t('creativeName')} help={t('creativeNameHelp')} />
          <CreativeText name="video.headline" label={t('headline')} max={VIDEO_LIMITS.headline} />
          <CreativeText name="video.longHeadline" label={t('video.longHeadline')} max={VIDEO_LIMITS.longHeadline} rows={2} />
          <CreativeText name="video.cta" label={t('callToAction')} max={VIDEO_LIMITS.cta} />
        </FormSection>
        <VideoMedia />
      </Split>
    </>
  )
}

/** A separate component, so that keystrokes re-render only the preview. */
function Preview() {
  return <VideoAdPreview ad={useFormValue('video')} />
}
