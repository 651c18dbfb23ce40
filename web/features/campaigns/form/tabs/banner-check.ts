/** What a banner file must be, checked before it is sent so that the reason comes at once (campaign.md §5). */

export const IMAGE_LIMIT_BYTES = 500_000
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
export const ARCHIVE_LIMIT_BYTES = 10_485_760
/** Systems call a zip differently, and some not at all. */
const isArchive = (file: File) => /^application\/(x-)?zip(-compressed)?$/.test(file.type) || /\.zip$/i.test(file.name)
export const ACCEPT = [...IMAGE_TYPES, 'application/zip', '.zip'].join(',')

export type BannerRefusal = 'wrongType' | 'tooBig' | 'archiveTooBig' | 'wrongSize'
export type Size = { readonly width: number; readonly height: number }

/** The exact size, or larger with the same proportions. */
export const fits = (image: Size, target: Size) =>
  image.width >= target.width && image.height >= target.height && image.width * target.height === image.height * target.width

export async function refusalOf(
  file: File,
  target: Size,
  measure: (file: File) => Promise<Size | null>,
): Promise<BannerRefusal | null> {
  // What is in an archive is for the server to see.
  if (isArchive(file)) return file.size > ARCHIVE_LIMIT_BYTES ? 'archiveTooBig' : null
  if (!IMAGE_TYPES.includes(file.type)) return 'wrongType'
  if (file.size >= IMAGE_LIMIT_BYTES) return 'tooBig'
  const size = await measure(file)
  if (size === null) return 'wrongType'
  return fits(size, target) ? null : 'wrongSize'
}

/** Width and height of an image file; null when it cannot be read as one. */
export async function measureImage(file: File): Promise<Size | null> {
  try {
    const bitmap = await createImageBitmap(file)
    const size = { width: bitmap.width, height: bitmap.height }
    bitmap.close()
    return size
  } catch {
    return null
  }
}

/** A first name for the creative: the file's, as far as the rule lets it. */
export const nameFromFile = (file: string) =>
  file
    .replace(/\.[^.]*$/, '')
    .replaceAll(' ', '_')
    .replaceAll(/[^A-Za-z0-9._-]/g, '')
    .slice(0, 75)
