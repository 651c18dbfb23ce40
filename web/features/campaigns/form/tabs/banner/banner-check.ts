import { canBecome } from '#domain/campaign/content/media-rules'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import type { Size } from '@/features/campaigns/form/creatives/measure'
import { IMAGE_LIMIT_BYTES, PICTURES } from '@/features/campaigns/form/creatives/media-check'
import { measureImage } from '@/features/campaigns/form/creatives/measure'

/** Client-side check of a banner file before upload, for immediate errors (campaigns.md §5). Returns translation keys. */

export const ARCHIVE_LIMIT_BYTES = 10_485_760
/** Systems report different MIME types for zip files, or none. */
export const isArchive = (file: File) => /^application\/(x-)?zip(-compressed)?$/.test(file.type) || /\.zip$/i.test(file.name)
export const BANNER_TYPES = [...PICTURES, 'application/zip', '.zip']

/** True for the exact size, or a larger one with the same proportions. */
export const fits = (image: Size, target: Size) =>
  image.width >= target.width && image.height >= target.height && image.width * target.height === image.height * target.width

/** The size that a picture is for: the chosen one, or the largest of all that it fits. Null when it fits none. */
export function sizeFor(picture: Size, chosen: Size): Size | null {
  if (fits(picture, chosen)) return chosen
  const fitting = BANNER_SIZES.filter((size) => fits(picture, size))
  return fitting.toSorted((a, b) => b.width * b.height - a.width * a.height)[0] ?? null
}

export type Planned = { readonly size: Size; readonly cut: boolean }

/** Use of a file: its size, and whether it must be cut for it. Null for archives, whose contents the server checks. */
export async function planned(
  file: File,
  chosen: Size,
  measure: (file: File) => Promise<Size | null> = measureImage,
): Promise<Planned | null> {
  const picture = isArchive(file) ? null : await measure(file)
  if (picture === null) return null
  const size = sizeFor(picture, chosen)
  return size === null ? { size: chosen, cut: true } : { size, cut: false }
}

export async function bannerFault(
  file: File,
  target: Size,
  measure: (file: File) => Promise<Size | null> = measureImage,
): Promise<string | null> {
  // The server checks the contents of archives.
  if (isArchive(file)) return file.size > ARCHIVE_LIMIT_BYTES ? 'faults:archiveBytes' : null
  if (!PICTURES.includes(file.type)) return 'creatives:banner.wrongType'
  const size = await measure(file)
  const isTooBig = file.size >= IMAGE_LIMIT_BYTES
  if (size === null) return isTooBig ? 'faults:imageBytes' : 'faults:notAnImage'
  const isReady = sizeFor(size, target) !== null
  // A cut picture becomes smaller; its bytes are checked then.
  if (!isReady && canBecome(size, target)) return null
  if (isTooBig) return 'faults:imageBytes'
  return isReady ? null : `faults:bannerDimensions?width=${target.width}&height=${target.height}`
}

/** Returns a default creative name: the file name, reduced to the allowed characters and length. */
export const nameFromFile = (file: string) =>
  file
    .replace(/\.[^.]*$/, '')
    .replaceAll(/\s/g, '_')
    .replaceAll(/[^A-Za-z0-9._-]/g, '')
    .slice(0, 75)
