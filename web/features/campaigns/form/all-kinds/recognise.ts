import { COMPANION, ICON, LANDSCAPE, SQUARE } from '#domain/campaign/content/media-rules'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import {
  AUDIO_TYPES,
  audioFault,
  companionOf,
  imageFault,
  imageOf,
  PICTURES,
  VIDEO_TYPES,
  videoFault,
} from '@/features/campaigns/form/creatives/media-check'
import { measureImage, measureVideo, type Size } from '@/features/campaigns/form/creatives/measure'
import type { PlaceKey } from '@/features/campaigns/form/creatives/places'
import { bannerFault, isArchive, sizeFor } from '@/features/campaigns/form/tabs/banner/banner-check'

export type Recognised = {
  readonly fits: readonly PlaceKey[]
  readonly reason: string | null
  /** Pixels of pictures and videos; null where the browser cannot tell. */
  readonly size: Size | null
  /** The size as a banner; null when it is none. */
  readonly banner: Size | null
}

/** Where a banner's own size decides nothing: any that it fits is right. */
const ANY = { width: 300, height: 250 }
const PICTURE_RULES = [
  ['responsiveImage', imageOf(LANDSCAPE)],
  ['nativeLandscape', imageOf(LANDSCAPE)],
  ['nativeSquare', imageOf(SQUARE)],
  ['nativeLogo', imageOf(ICON)],
  ['companion', companionOf(COMPANION)],
  ['responsiveLogo', imageOf(null)],
] as const

const none = (reason: string, size: Size | null = null): Recognised => ({ fits: [], reason, size, banner: null })

/** The size in the name of an HTML banner, such as `sale_300x250.zip`. */
function namedSize(name: string): Size | null {
  const sizes = [...name.matchAll(/(?<!\d)(\d{2,4})[x×](\d{2,4})(?!\d)/gi)]
  const found = sizes.flatMap(([, width, height]) =>
    BANNER_SIZES.filter((size) => size.width === Number(width) && size.height === Number(height)),
  )
  const [size] = found
  return size === undefined ? null : { width: size.width, height: size.height }
}

/** The places that a file fits by its type, size and bytes, the best one first, or the reason why there is none. */
export async function recognise(
  file: File,
  audio: boolean,
  measure: { readonly image: typeof measureImage; readonly video: typeof measureVideo } = {
    image: measureImage,
    video: measureVideo,
  },
): Promise<Recognised> {
  const isTrack = AUDIO_TYPES.includes(file.type)
  const isVideo = VIDEO_TYPES.includes(file.type)
  if (!isTrack && !isVideo && !isArchive(file) && !PICTURES.includes(file.type)) return none('creatives:sort.unknownType')
  if (isTrack !== audio) return none(audio ? 'creatives:sort.onlyTracks' : 'creatives:sort.noTracks')
  if (isTrack) {
    const fault = audioFault(file)
    return fault === null ? { fits: ['track'], reason: null, size: null, banner: null } : none(fault)
  }
  if (isVideo) {
    const size = await measure.video(file)
    const fault = await videoFault(file, () => Promise.resolve(size))
    return fault === null ? { fits: ['video', 'nativeVideo'], reason: null, size, banner: null } : none(fault, size)
  }
  return isArchive(file) ? archive(file) : picture(file, await measure.image(file))
}

async function archive(file: File): Promise<Recognised> {
  const fault = await bannerFault(file, ANY)
  if (fault !== null) return none(fault)
  const size = namedSize(file.name)
  return size === null ? none('creatives:sort.htmlSize') : { fits: ['banner'], reason: null, size: null, banner: size }
}

const isSize = (wanted: Size | null, { width, height }: Size): boolean => wanted?.width === width && wanted.height === height

async function picture(file: File, size: Size | null): Promise<Recognised> {
  if (size === null) return none('faults:notAnImage')
  const { width, height } = size
  const known = () => Promise.resolve(size)
  const banner = sizeFor(size, ANY)
  const bannerReason = banner === null ? null : await bannerFault(file, banner, known)
  const isBanner = banner !== null && bannerReason === null
  const isExact = isBanner && banner.width === size.width && banner.height === size.height
  const fits: PlaceKey[] = isExact ? ['banner'] : []
  let tooBig = bannerReason
  for (const [place, rule] of PICTURE_RULES) {
    const fault = await imageFault(file, rule, known)
    if (fault === null) fits.push(place)
    else if (/bytes/i.test(fault)) tooBig ??= fault
  }
  const isKnownSize = banner !== null || width === height || PICTURE_RULES.some(([, rule]) => isSize(rule.size, size))
  // Made smaller only where it fits nothing as it is.
  if (isBanner && !isExact) fits.push('banner')
  const noSize = `creatives:sort.noSize?width=${width}&height=${height}`
  const reason = fits.length > 0 ? null : isKnownSize ? (tooBig ?? noSize) : noSize
  return { fits, reason, size, banner: isBanner ? banner : null }
}
