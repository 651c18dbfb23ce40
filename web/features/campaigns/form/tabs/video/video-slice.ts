import { z } from '#contract/zod'
import type { Campaign } from '#contract/campaign-body'
import { bytes, draftName, headOf, isSame, sizedImage, textBack, under } from '@/features/campaigns/form/creatives/wire-values'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'

export const VIDEO_LIMITS = { headline: 25, longHeadline: 90, cta: 15 } as const

const film = z.object({
  file_id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  url: z.nullable(z.string()),
  size: z.nullable(z.number()),
  duration: z.nullable(z.number()),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
})
const schema = z.object({
  enabled: z.boolean(),
  creativeName: draftName,
  headline: bytes(VIDEO_LIMITS.headline),
  longHeadline: bytes(VIDEO_LIMITS.longHeadline),
  cta: bytes(VIDEO_LIMITS.cta),
  video: z.nullable(film),
  companions: z.array(sizedImage),
})
export type VideoValues = z.infer<typeof schema>

const FIELDS: Readonly<Record<string, string>> = {
  creative_name: 'creativeName',
  headline: 'headline',
  long_headline: 'longHeadline',
  cta: 'cta',
  call_to_action: 'cta',
  video: 'video',
  companion_banners: 'companions',
}

const fromAd = (ad: Campaign['video_ad']): Omit<VideoValues, 'enabled'> => ({
  creativeName: ad?.creative_name ?? '',
  headline: ad?.headline ?? '',
  longHeadline: ad?.long_headline ?? '',
  cta: ad?.cta ?? '',
  video: ad?.video ?? null,
  companions: [...(ad?.companion_banners ?? [])],
})

export const videoSlice: FormSlice<VideoValues> = {
  schema,
  empty: () => ({ enabled: false, ...fromAd(null) }),
  fromCampaign: (campaign) => ({ enabled: campaign.video_ad_enabled, ...fromAd(campaign.video_ad) }),
  toInput: ({ enabled, ...values }, campaign) => {
    const known = campaign?.video_ad ?? null
    if (isSame(values, fromAd(known))) return { video_ad_enabled: enabled }
    return {
      video_ad_enabled: enabled,
      video_ad: {
        ...(known === null ? {} : { id: known.id }),
        creative_name: textBack(values.creativeName, known?.creative_name),
        headline: textBack(values.headline, known?.headline),
        long_headline: textBack(values.longHeadline, known?.long_headline),
        cta: textBack(values.cta, known?.cta),
        video: values.video,
        companion_banners: values.companions,
      },
    }
  },
  fieldOf: (path) => {
    if (path === 'video_ad_enabled') return 'enabled'
    const rest = under(path, 'video_ad')
    return rest === null ? null : (FIELDS[headOf(rest)] ?? 'creativeName')
  },
}
