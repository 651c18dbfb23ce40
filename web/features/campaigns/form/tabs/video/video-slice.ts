import { z } from '#contract/zod'
import { VIDEO_AD } from '#domain/campaign/content/fields/creatives'
import { record } from '#domain/kit/fields'
import { bytes, draftName, textBack } from '@/features/campaigns/form/creatives/wire-values'
import { fieldMapping } from '@/features/campaigns/form/slices/field-mapping'
import { adSlice } from '@/features/campaigns/form/slices/record-slice'

export const VIDEO_LIMITS = { headline: 25, longHeadline: 90, cta: 15 } as const

const mapping = fieldMapping(record(VIDEO_AD), {
  names: { companion_banners: 'companions' },
  own: {
    creative_name: { schema: draftName },
    headline: { schema: bytes(VIDEO_LIMITS.headline) },
    long_headline: { schema: bytes(VIDEO_LIMITS.longHeadline) },
    cta: { schema: bytes(VIDEO_LIMITS.cta) },
  },
  without: ['id'],
  text: textBack,
})

export const videoSlice = adSlice(
  'video_ad',
  mapping,
  z.object({ enabled: z.boolean(), ...mapping.shape }),
  // Callers may send the text of the button under another name.
  (rest) => (rest === 'call_to_action' ? 'cta' : null),
)
export type VideoValues = z.infer<typeof videoSlice.schema>
