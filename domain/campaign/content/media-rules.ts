import type { Fault } from '#domain/kit/errors'
import { hasSize } from '#domain/kit/validators'
import type { CampaignContent } from './content.ts'
import { filesOf, type FileRole, type FileUse } from './creatives.ts'
import { BANNER_SIZES } from './options.ts'
import { fault } from '../saving/faults.ts'
import type { FileFacts, References } from '../saving/references.ts'

/** Sizes and bounds of media (campaigns.md §5, "Creative rules", §9). Pixels, bytes, seconds. */
export const LANDSCAPE = { width: 1200, height: 627 } as const
export const SQUARE = { width: 600, height: 600 } as const
export const ICON = { width: 128, height: 128 } as const
export const COMPANION = { width: 300, height: 250 } as const
export const COMPANION_BYTES = 153_600
export const VIDEO_SIZES = [
  { width: 480, height: 360 },
  { width: 640, height: 360 },
  { width: 1920, height: 800 },
] as const
/** Sizes into which a picture may be resized (campaigns.md §5). */
export const RESIZE_BOUNDS = { width: { min: 120, max: 1200 }, height: { min: 80, max: 1200 } } as const
export const TRACK_SECONDS = { min: 15, max: 30 } as const
/** Encoders add silence, and not all note how much; some lose the last frame. Neither counts. */
export const TRACK_TOLERANCE = 0.1
export const VIDEO_SECONDS = { min: 1 } as const

type Size = { readonly width: number; readonly height: number }
/** Whether a picture may be cut and made smaller to this size: within the bounds, and never enlarged. */
export function canBecome(picture: Size, target: Size): boolean {
  const { width, height } = RESIZE_BOUNDS
  const isWithin =
    target.width >= width.min && target.width <= width.max && target.height >= height.min && target.height <= height.max
  return isWithin && picture.width >= target.width && picture.height >= target.height
}
const isImage = (file: FileFacts): boolean => file.contentType.startsWith('image/')
export const isVideoSize = (file: { readonly width: number | null; readonly height: number | null }): boolean =>
  VIDEO_SIZES.some((size) => size.width === file.width && size.height === file.height)

const sized = (path: string, { width, height }: Size): Fault => fault(path, 2, 'imageSize', { width, height })

/** Faults of a file in its place; null when it fits. */
const RULES: Readonly<Record<FileRole, (file: FileFacts, use: FileUse) => Fault | null>> = {
  banner: (file, { path, width, height }) => {
    const fits =
      (isImage(file) || file.contentType === 'application/zip') && hasSize(file, { width: width ?? 0, height: height ?? 0 })
    return fits ? null : fault(path, 2, 'bannerDimensions', { width: width ?? 0, height: height ?? 0 })
  },
  track: (file, { path }) => (file.contentType === 'audio/mpeg' ? null : fault(path, 2, 'invalidAudio')),
  dynamicImage: (file, { path }) => (isImage(file) && hasSize(file, LANDSCAPE) ? null : sized(path, LANDSCAPE)),
  dynamicLogo: (file, { path }) => (isImage(file) && file.width === file.height ? null : fault(path, 2, 'squareLogo')),
  nativeImage: (file, { path, width, height }) => {
    const wanted = width === SQUARE.width && height === SQUARE.height ? SQUARE : LANDSCAPE
    return isImage(file) && hasSize(file, wanted) ? null : sized(path, wanted)
  },
  nativeLogo: (file, { path }) => (isImage(file) && hasSize(file, ICON) ? null : sized(path, ICON)),
  nativeVideo: (file, { path }) => videoFault(file, path),
  video: (file, { path }) => videoFault(file, path),
  companion: (file, { path }) => {
    const format = file.contentType === 'image/png' || file.contentType === 'image/jpeg'
    if (!hasSize(file, COMPANION)) return sized(path, COMPANION)
    if (!format) return fault(path, 2, 'companionFormat')
    return file.size > COMPANION_BYTES ? fault(path, 8, 'companionBytes') : null
  },
}

/** Why a file does not fit its place; null when it does. */
export const fileFault = (file: FileFacts, use: FileUse): Fault | null => RULES[use.role](file, use)

/** Which files fit a role, as conditions that a query can check: `fileFault` finds nothing in exactly those. */
export type Fitting = {
  /** Content types, or their beginnings. */
  readonly types: readonly string[]
  /** Exact sizes, any square, or any size. */
  readonly sizes: readonly Size[] | 'square' | null
  readonly mostBytes: number | null
}
const FILM: Fitting = { types: ['video/'], sizes: VIDEO_SIZES, mostBytes: null }
const imageOf = (sizes: Fitting['sizes']): Fitting => ({ types: ['image/'], sizes, mostBytes: null })
export const FITTING: Readonly<Record<FileRole, Fitting>> = {
  banner: { types: ['image/', 'application/zip'], sizes: BANNER_SIZES, mostBytes: null },
  track: { types: ['audio/mpeg'], sizes: null, mostBytes: null },
  dynamicImage: imageOf([LANDSCAPE]),
  dynamicLogo: imageOf('square'),
  nativeImage: imageOf([LANDSCAPE, SQUARE]),
  nativeLogo: imageOf([ICON]),
  nativeVideo: FILM,
  video: FILM,
  companion: { types: ['image/png', 'image/jpeg'], sizes: [COMPANION], mostBytes: COMPANION_BYTES },
}

const videoFault = (file: FileFacts, path: string): Fault | null =>
  file.contentType.startsWith('video/') && isVideoSize(file) ? null : fault(path, 2, 'videoSize')

/** Banners and tracks consist of their file: without one there is nothing to show. */
const unnamed = (content: CampaignContent): readonly FileUse[] => [
  ...content.visuals.banners.flatMap(({ file_id }, i) => (file_id === '' ? [nothingAt(`visuals.banners[${i}].file_id`)] : [])),
  ...content.audio_ads.flatMap(({ fileId }, i) => (fileId === '' ? [nothingAt(`audio_ads[${i}].fileId`)] : [])),
]
const nothingAt = (path: string): FileUse => ({ role: 'track', path, id: '', width: null, height: null })

/** Missing files (132), and files that do not fit their place. */
export const mediaFaults = (content: CampaignContent, { missingFiles, files }: References): readonly Fault[] =>
  [...filesOf(content), ...unnamed(content)].flatMap((use) => {
    if (use.id === '' || missingFiles.has(use.id)) return [fault(use.path, 132, 'fileUnknown')]
    const file = files.get(use.id)
    const found = file === undefined ? null : fileFault(file, use)
    return found === null ? [] : [found]
  })

/** Content with the sizes and durations of videos and tracks taken from their files, not from the caller. */
export function withMediaFacts(content: CampaignContent, { files }: References): CampaignContent {
  if (files.size === 0) return content
  const { native_ad: native, video_ad: video } = content
  const film = files.get(video?.video?.file_id ?? '')
  const clip = files.get(native?.video?.fileId ?? '')
  return {
    ...content,
    native_ad:
      native?.video && clip ? { ...native, video: { ...native.video, size: clip.size, duration: clip.seconds } } : native,
    video_ad:
      video?.video && film
        ? { ...video, video: { ...video.video, size: film.size, duration: film.seconds, width: film.width, height: film.height } }
        : video,
    audio_ads: content.audio_ads.map((track) => {
      const file = files.get(track.fileId)
      return file === undefined ? track : { ...track, size: Math.round((file.size / 1_048_576) * 100) / 100, extension: 'mp3' }
    }),
  }
}
