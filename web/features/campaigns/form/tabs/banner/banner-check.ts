import { IMAGE_LIMIT_BYTES, PICTURES, type Size } from '@/features/campaigns/form/creatives/media-check'
import { measureImage } from '@/features/campaigns/form/creatives/measure'

/** Client-side check of a banner file before upload, for immediate errors (campaign.md §5). Returns translation keys. */

export const ARCHIVE_LIMIT_BYTES = 10_485_760
/** Systems report different MIME types for zip files, or none. */
const isArchive = (file: File) => /^application\/(x-)?zip(-compressed)?$/.test(file.type) || /\.zip$/i.test(file.name)
export const BANNER_TYPES = [...PICTURES, 'application/zip', '.zip']

/** True for the exact size, or a larger one with the same proportions. */
export const fits = (image: Size, target: Size) =>
  image.width >= target.width && image.height >= target.height && image.width * target.height === image.height * target.width

export async function bannerFault(
  file: File,
  target: Size,
  measure: (file: File) => Promise<Size | null> = measureImage,
): Promise<string | null> {
  // The server checks the contents of archives.
  if (isArchive(file)) return file.size > ARCHIVE_LIMIT_BYTES ? 'faults:archiveBytes' : null
  if (!PICTURES.includes(file.type)) return 'creatives:banner.wrongType'
  if (file.size >= IMAGE_LIMIT_BYTES) return 'faults:imageBytes'
  const size = await measure(file)
  if (size === null) return 'faults:notAnImage'
  return fits(size, target) ? null : `faults:bannerDimensions?width=${target.width}&height=${target.height}`
}

/** Returns a default creative name: the file name, reduced to the allowed characters and length. */
export const nameFromFile = (file: string) =>
  file
    .replace(/\.[^.]*$/, '')
    .replaceAll(/\s/g, '_')
    .replaceAll(/[^A-Za-z0-9._-]/g, '')
    .slice(0, 75)
