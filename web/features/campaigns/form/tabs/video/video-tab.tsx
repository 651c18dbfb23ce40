import { useTranslation } from 'react-i18next'
import { useFormBase, useFormValue } from '../../campaign-form-context.ts'
import { CreativeHead } from '../../creatives/creative-switch.tsx'
import { CreativeName, CreativeText } from '../../creatives/creative-text.tsx'
import { VideoAdPreview } from '../../../creatives/ad-previews.tsx'
import { ServingDecision } from '../../../creatives/serving-decision.tsx'
import { Split } from '../../creatives/split.tsx'
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

/** On its own, so that typing draws nothing but the preview anew. */
function Preview() {
  return <VideoAdPreview ad={useFormValue('video')} />
}
