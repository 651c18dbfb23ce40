import { z } from '#contract/zod'
import type { Campaign } from '#contract/campaign-body'
import { SQUARE } from '#domain/campaign/content/media-rules'
import { bytes, draftName, headOf, isSame, sizedImage, textBack, under } from '@/features/campaigns/form/creatives/wire-values'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'

export const NATIVE_LIMITS = { headline: 25, body: 90, callToAction: 15, advertiser: 25 } as const

const video = z.object({
  url: z.nullable(z.string()),
  fileId: z.nullable(z.string()),
  filename: z.nullable(z.string()),
  size: z.nullable(z.number()),
  duration: z.nullable(z.number()),
})
const schema = z.object({
  enabled: z.boolean(),
  creativeName: draftName,
  headline: bytes(NATIVE_LIMITS.headline),
  body: bytes(NATIVE_LIMITS.body),
  callToAction: bytes(NATIVE_LIMITS.callToAction),
  advertiser: bytes(NATIVE_LIMITS.advertiser),
  /** Empty means the server's default. */
  starRating: z.string(),
  price: z.string().check(z.maxLength(5000, 'faults:maxLength?max=5000')),
  images: z.array(sizedImage),
  logo: z.nullable(sizedImage),
  video: z.nullable(video),
})
export type NativeValues = z.infer<typeof schema>

const FIELDS: Readonly<Record<string, string>> = {
  creative_name: 'creativeName',
  headline: 'headline',
  body: 'body',
  call_to_action: 'callToAction',
  cta: 'callToAction',
  advertiser: 'advertiser',
  star_rating: 'starRating',
  price: 'price',
  images: 'images',
  logo: 'logo',
  video: 'video',
}

const fromAd = (ad: Campaign['native_ad']): Omit<NativeValues, 'enabled'> => ({
  creativeName: ad?.creative_name ?? '',
  headline: ad?.headline ?? '',
  body: ad?.body ?? '',
  callToAction: ad?.call_to_action ?? '',
  advertiser: ad?.advertiser ?? '',
  starRating: String(ad?.star_rating ?? 5),
  price: ad?.price ?? '0',
  images: [...(ad?.images ?? [])],
  logo: ad?.logo ?? null,
  video: ad?.video ?? null,
})

/**
 * True for app goals, which show the app's icon, rating and price. All others show a logo and the advertiser (decisions G-148).
 */
export const isAppInstall = (goal: string) => goal === 'APP_INSTALLS' || goal === 'APP_CUSTOM_EVENT'

/** Determines the slot of an image. The server chooses the required size by the same rule. */
export const isSquare = ({ width, height }: { readonly width: number; readonly height: number }) =>
  width === SQUARE.width && height === SQUARE.height

export const nativeSlice: FormSlice<NativeValues> = {
  schema,
  empty: () => ({ enabled: false, ...fromAd(null) }),
  fromCampaign: (campaign) => ({ enabled: campaign.native_ad_enabled, ...fromAd(campaign.native_ad) }),
  toInput: ({ enabled, ...values }, campaign) => {
    const known = campaign?.native_ad ?? null
    if (isSame(values, fromAd(known))) return { native_ad_enabled: enabled }
    return {
      native_ad_enabled: enabled,
      native_ad: {
        ...(known === null ? {} : { id: known.id }),
        creative_name: textBack(values.creativeName, known?.creative_name),
        headline: textBack(values.headline, known?.headline),
        body: textBack(values.body, known?.body),
        call_to_action: textBack(values.callToAction, known?.call_to_action),
        advertiser: textBack(values.advertiser, known?.advertiser),
        star_rating: values.starRating === '' ? null : Number(values.starRating),
        price: textBack(values.price, known?.price),
        images: values.images,
        logo: values.logo,
        video: values.video,
      },
    }
  },
  fieldOf: (path) => {
    if (path === 'native_ad_enabled') return 'enabled'
    const rest = under(path, 'native_ad')
    return rest === null ? null : (FIELDS[headOf(rest)] ?? 'creativeName')
  },
}
