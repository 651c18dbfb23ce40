import { useTranslation } from 'react-i18next'
import { uploadNative } from '#contract/files'
import { LANDSCAPE, SQUARE } from '#domain/campaign/content/media-rules'
import { useCampaignForm, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { FileSlot, SlotImage } from '@/features/campaigns/form/creatives/file-slot'
import { imageFault, imageOf } from '@/features/campaigns/form/creatives/media-check'
import { PLACE } from '@/features/campaigns/form/creatives/places'
import type { SizedImageValue } from '@/features/campaigns/form/creatives/wire-values'
import { isSquare } from './native-slice.ts'

const RULES = { landscape: imageOf(LANDSCAPE), square: imageOf(SQUARE) }

export function NativeImages() {
  const { t } = useTranslation('creatives')
  const form = useCampaignForm()
  const { getValues, setValue } = form
  const images = useFormValue('native.images')
  const slots = [
    {
      slot: 'landscape',
      place: 'nativeLandscape',
      size: LANDSCAPE,
      label: t('native.landscape'),
      limits: t('native.landscapeLimits'),
    },
    { slot: 'square', place: 'nativeSquare', size: SQUARE, label: t('native.square'), limits: t('native.squareLimits') },
  ] as const
  // Read when an upload ends: another slot may have been filled in the meantime.
  const change = (next: (images: readonly SizedImageValue[]) => readonly SizedImageValue[]) =>
    setValue('native.images', [...next(getValues('native.images'))], { shouldDirty: true, shouldValidate: true })
  return slots.map(({ slot, place, size, label, limits }) => {
    const found = images.find((image) => isSquare(image) === (slot === 'square'))
    return (
      <FileSlot
        key={slot}
        slot={`native.${slot}`}
        quiet={slot === 'square'}
        onlyAdds
        place={place}
        name="native.images"
        kind="image"
        endpoint={uploadNative}
        query={size}
        accept={RULES[slot].types}
        check={(file) => imageFault(file, RULES[slot])}
        label={label}
        limits={limits}
        preview={found === undefined ? null : <SlotImage url={found.url} alt={label} />}
        onUploaded={(file) => PLACE[place].put(form, file)}
        onRemove={() => change((known) => known.filter((image) => image.file_id !== found?.file_id || image.url !== found.url))}
      />
    )
  })
}
