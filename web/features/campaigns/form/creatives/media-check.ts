import { COMPANION_BYTES, isVideoSize } from '#domain/campaign/content/media-rules'
import { measureImage, measureVideo, type Size } from './measure.ts'

/** Client-side checks of media files before upload, for immediate errors (campaigns.md §5). They return translation keys. */

export type ImageRule = {
  /** The exact size; null allows any square. */
  readonly size: Size | null
  readonly types: readonly string[]
  /** The refusal of other types, a translation key. */
  readonly otherType: string
  readonly refusal: (bytes: number) => string | null
}

export const IMAGE_LIMIT_BYTES = 500_000
export const PICTURES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
const underLimit = (bytes: number) => (bytes >= IMAGE_LIMIT_BYTES ? 'faults:imageBytes' : null)

export const imageOf = (size: Size | null): ImageRule => ({
  size,
  types: PICTURES,
  otherType: 'faults:notAnImage',
  refusal: underLimit,
})
export const companionOf = (size: Size): ImageRule => ({
  size,
  types: ['image/jpeg', 'image/png'],
  otherType: 'faults:companionFormat',
  refusal: (bytes) => (bytes > COMPANION_BYTES ? 'faults:companionBytes' : null),
})

const wrongSize = ({ width, height }: Size) =>
  width === 250 && height === 250 ? 'faults:imageSize250' : `faults:imageSize?width=${width}&height=${height}`

export async function imageFault(
  file: File,
  rule: ImageRule,
  measure: (file: File) => Promise<Size | null> = measureImage,
): Promise<string | null> {
  if (!rule.types.includes(file.type)) return rule.otherType
  const tooBig = rule.refusal(file.size)
  if (tooBig !== null) return tooBig
  const found = await measure(file)
  if (found === null) return 'faults:notAnImage'
  if (rule.size === null) return found.width === found.height ? null : 'faults:squareLogo'
  return found.width === rule.size.width && found.height === rule.size.height ? null : wrongSize(rule.size)
}

export const VIDEO_LIMIT_BYTES = 10_485_760
export const VIDEO_TYPES = ['video/mp4', 'video/webm']
/** The server decides about videos that this browser cannot play. */
export async function videoFault(
  file: File,
  measure: (file: File) => Promise<Size | null> = measureVideo,
): Promise<string | null> {
  if (!VIDEO_TYPES.includes(file.type)) return 'faults:invalidVideo'
  if (file.size > VIDEO_LIMIT_BYTES) return 'faults:videoBytes'
  const found = await measure(file)
  return found === null || isVideoSize(found) ? null : 'faults:videoSize'
}

export const AUDIO_LIMIT_BYTES = 20_971_520
export const AUDIO_TYPES = ['audio/mpeg', 'audio/mp3']
/** The server checks the length: browsers only estimate it. */
export function audioFault(file: File): string | null {
  if (!AUDIO_TYPES.includes(file.type)) return 'faults:invalidAudio'
  return file.size > AUDIO_LIMIT_BYTES ? 'faults:audioBytes' : null
}
