import { useTranslation } from 'react-i18next'
import { uploadNative, uploadVideo } from '#contract/files'
import { COMPANION } from '#domain/campaign/content/media-rules'
import { useCampaignForm, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { FileSlot } from '@/features/campaigns/form/creatives/file-slot'
import { companionOf, imageFault, VIDEO_TYPES, videoFault } from '@/features/campaigns/form/creatives/media-check'
import { PLACE } from '@/features/campaigns/form/creatives/places'
import { SlotVideo } from '@/features/campaigns/creatives/slot-video'
import { FormSection } from '../form-section.tsx'

const RULE = companionOf(COMPANION)
const CHANGE = { shouldDirty: true, shouldValidate: true }

export function VideoMedia() {
  const { t } = useTranslation('creatives')
  const form = useCampaignForm()
  const { setValue } = form
  const video = useFormValue('video.video')
  const companions = useFormValue('video.companions')
  const [companion] = companions
  return (
    <FormSection title={t('video.media')}>
      <FileSlot
        className="col-span-2"
        slot="video.video"
        place="video"
        name="video.video"
        kind="video"
        endpoint={uploadVideo}
        accept={VIDEO_TYPES}
        check={videoFault}
        label={t('video.video')}
        limits={t('video.limits')}
        preview={
          video === null ? null : (
            <SlotVideo
              url={video.url}
              label={t('video.video')}
              facts={{ name: video.name, seconds: video.duration, bytes: video.size, size: video }}
            />
          )
        }
        onUploaded={(file) => PLACE.video.put(form, file)}
        onRemove={() => setValue('video.video', null, CHANGE)}
      />
      <FileSlot
        className="col-span-2"
        slot="video.companion"
        place="companion"
        name="video.companions"
        kind="image"
        endpoint={uploadNative}
        query={COMPANION}
        accept={RULE.types}
        check={(file) => imageFault(file, RULE)}
        label={t('video.companion')}
        limits={t('video.companionLimits')}
        preview={
          companion === undefined ? null : (
            <div className="checkered rounded-md overflow-hidden" style={COMPANION}>
              {companion.url !== null && <img src={companion.url} alt={t('video.companion')} {...COMPANION} />}
            </div>
          )
        }
        onUploaded={(file) => PLACE.companion.put(form, file)}
        onRemove={() => setValue('video.companions', companions.slice(1), CHANGE)}
      />
    </FormSection>
  )
}
