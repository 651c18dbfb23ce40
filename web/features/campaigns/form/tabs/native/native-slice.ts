import { z } from '#contract/zod'
import { record } from '#domain/kit/fields'
import { NATIVE_AD } from '#domain/campaign/content/fields/creatives'
import { SQUARE } from '#domain/campaign/content/media-rules'
import { bytes, draftName, textBack } from '@/features/campaigns/form/creatives/wire-values'
import { fieldMapping, typedNumber } from '@/features/campaigns/form/slices/field-mapping'
import { adSlice } from '@/features/campaigns/form/slices/record-slice'

export const NATIVE_LIMITS = { headline: 25, body: 90, callToAction: 15, advertiser: 25 } as const

const mapping = fieldMapping(record(NATIVE_AD), {
  own: {
    creative_name: { schema: draftName },
    headline: { schema: bytes(NATIVE_LIMITS.headline) },
    body: { schema: bytes(NATIVE_LIMITS.body) },
    call_to_action: { schema: bytes(NATIVE_LIMITS.callToAction) },
    advertiser: { schema: bytes(NATIVE_LIMITS.advertiser) },
    /** Empty means the server's default. */
    star_rating: typedNumber(z.string()),
  },
  without: ['id'],
  text: textBack,
})

/**
 * True for app goals, which show the app's icon, rating and price. All others show a logo and the advertiser (decisions G-148).
 */
export const isAppInstall = (goal: string) => goal === 'APP_INSTALLS' || goal === 'APP_CUSTOM_EVENT'

/** Determines the slot of an image. The server chooses the required size by the same rule. */
export const isSquare = ({ width, height }: { readonly width: number; readonly height: number }) =>
  width === SQUARE.width && height === SQUARE.height

export const nativeSlice = adSlice(
  'native_ad',
  mapping,
  z.object({ enabled: z.boolean(), ...mapping.shape }),
  // Callers may send the text of the button under another name.
  (rest) => (rest === 'cta' ? 'callToAction' : null),
)
export type NativeValues = z.infer<typeof nativeSlice.schema>
