import { useTranslation } from 'react-i18next'
import { uploadImage } from '#contract/files'
import { LANDSCAPE } from '#domain/campaign/content/media-rules'
import { useCampaignForm, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { FileSlot, SlotImage } from '@/features/campaigns/form/creatives/file-slot'
import { imageFault, imageOf } from '@/features/campaigns/form/creatives/media-check'
import { PLACE } from '@/features/campaigns/form/creatives/places'
import { FormSection } from '../form-section.tsx'

const RULES = { images: imageOf(LANDSCAPE), logos: imageOf(null) }

export function ResponsiveMedia() {
  const { t } = useTranslation('creatives')
  const form = useCampaignForm()
  const { setValue } = form
  const stored = { images: useFormValue('responsive.images'), logos: useFormValue('responsive.logos') }
  const slots = [
    { list: 'images', place: 'responsiveImage', label: t('responsive.image'), limits: t('responsive.imageLimits') },
    { list: 'logos', place: 'responsiveLogo', label: t('responsive.logo'), limits: t('responsive.logoLimits') },
  ] as const
  return (
    <FormSection title={t('responsive.media')}>
      {slots.map(({ list, place, label, limits }) => {
        const [first] = stored[list]
        const change = (next: typeof stored.images) =>
          setValue(`responsive.${list}`, next, { shouldDirty: true, shouldValidate: true })
        return (
          <FileSlot
            key={list}
            name={`responsive.${list}`}
            slot={`responsive.${list}`}
            place={place}
            kind="image"
            endpoint={uploadImage}
            accept={RULES[list].types}
            check={(file) => imageFault(file, RULES[list])}
            label={label}
            limits={limits}
            preview={first === undefined ? null : <SlotImage url={first.url} alt={label} />}
            onUploaded={(file) => PLACE[place].put(form, file)}
            onRemove={() => change(stored[list].slice(1))}
          />
        )
      })}
    </FormSection>
  )
}
