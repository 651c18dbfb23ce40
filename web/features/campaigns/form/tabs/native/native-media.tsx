import { useTranslation } from 'react-i18next'
import { uploadNative, uploadVideo } from '#contract/files'
import { ICON } from '#domain/campaign/content/media-rules'
import { useCampaignForm, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { FileSlot, SlotImage } from '@/features/campaigns/form/creatives/file-slot'
import { imageFault, imageOf, VIDEO_TYPES, videoFault } from '@/features/campaigns/form/creatives/media-check'
import { PLACE } from '@/features/campaigns/form/creatives/places'
import { SlotVideo } from '@/features/campaigns/creatives/slot-video'
import { FormSection } from '../form-section.tsx'
import { NativeImages } from './native-images.tsx'

const ICON_RULE = imageOf(ICON)
const CHANGE = { shouldDirty: true, shouldValidate: true }

export function NativeMedia({ appInstall }: { readonly appInstall: boolean }) {
  const { t } = useTranslation('creatives')
  const form = useCampaignForm()
  const { setValue } = form
  const logo = useFormValue('native.logo')
  const video = useFormValue('native.video')
  const label = appInstall ? t('native.icon') : t('native.logo')
  return (
    <FormSection title={t('native.media')}>
      <NativeImages />
      <FileSlot
        slot="native.logo"
        place="nativeLogo"
        name="native.logo"
        kind="image"
        endpoint={uploadNative}
        query={ICON}
        accept={ICON_RULE.types}
        check={(file) => imageFault(file, ICON_RULE)}
        label={label}
        limits={t('native.iconLimits')}
        preview={logo === null ? null : <SlotImage url={logo.url} alt={label} />}
        onUploaded={(file) => PLACE.nativeLogo.put(form, file)}
        onRemove={() => setValue('native.logo', null, CHANGE)}
      />
      <FileSlot
        slot="native.video"
        place="nativeVideo"
        name="native.video"
        kind="video"
        endpoint={uploadVideo}
        accept={VIDEO_TYPES}
        check={videoFault}
        label={t('native.video')}
        hint={t('native.optional')}
        limits={t('video.limits')}
        preview={
          video === null ? null : (
            <SlotVideo
              url={video.url}
              label={t('native.video')}
              facts={{ name: video.filename, seconds: video.duration, bytes: video.size }}
            />
          )
        }
        onUploaded={(file) => PLACE.nativeVideo.put(form, file)}
        onRemove={() => setValue('native.video', null, CHANGE)}
      />
    </FormSection>
  )
}
