import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import type { CleanImage, Images } from '#commands/files/media'
import { imagesIn, isImageType, type ImageType } from './image-end.ts'
import { withoutMetadata } from './image-strip.ts'

/** Of all frames together. Refuses decompression bombs before they are decoded. */
const MAX_PIXELS = 40_000_000
// libvips otherwise keeps results of operations, up to 50 MB, and no image is decoded twice.
sharp.cache(false)
// One core for each image: the others answer calls.
sharp.concurrency(1)

/**
 * Checks the bytes, not names or declared types. An image is valid only when it decodes to its end and nothing
 * follows: trailing bytes may be an archive or a page to other programs. Metadata is stripped (fine print 54).
 */
export const images: Images = {
  inspect: inspected,
  resize: resized,
  square: squared,
  flat: flattened,
  draw: (svg) => sharp(Buffer.from(svg)).png().toBuffer(),
}

async function inspected(bytes: Buffer): Promise<CleanImage | null> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (type === undefined || !isImageType(type.mime)) return null
  const [first, ...others] = imagesIn(bytes, type.mime) ?? []
  if (first === undefined) return null
  try {
    const { width, height, pixels, orientation } = await decode(first, MAX_PIXELS)
    let room = MAX_PIXELS - pixels
    for (const other of others) room -= (await decode(other, room)).pixels
    if (orientation > 1) return await upright(first, type.mime)
    return { contentType: type.mime, width, height, bytes: withoutMetadata(first, type.mime) }
  } catch {
    return null
  }
}

async function flattened(bytes: Buffer, { width, height }: Parameters<Images['flat']>[1]): Promise<Buffer | null> {
  try {
    return await sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_PIXELS })
      .resize(width, height, { fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
  } catch {
    return null
  }
}

async function resized(bytes: Buffer, width: number, height: number) {
  const { data, info } = await sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_PIXELS })
    .resize(width, height, { fit: 'fill' })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, contentType: `image/${info.format === 'jpg' ? 'jpeg' : info.format}` }
}

async function squared(bytes: Buffer, from: Parameters<Images['square']>[1], side: number) {
  const image = sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_PIXELS })
  const cut = from === null ? image : image.extract({ left: from.x, top: from.y, width: from.size, height: from.size })
  const data = await cut.resize(side, side, { fit: 'cover' }).webp({ quality: 85 }).toBuffer()
  return { bytes: data, contentType: 'image/webp' }
}

/** Throws unless the whole image decodes, and its frames are within the pixel limit. */
async function decode(bytes: Buffer, room: number) {
  // sharp treats a limit of zero as no limit.
  const image = sharp(bytes, { failOn: 'warning', limitInputPixels: Math.max(room, 1) })
  const { width, height, pages = 1, orientation = 1 } = await image.metadata()
  const pixels = width * height * pages
  if (pixels > room) throw new Error('the image has too many pixels')
  await image.stats()
  return { width, height, pixels, orientation }
}

/** Redraws the image upright: the orientation is metadata, which is stripped. */
async function upright(bytes: Buffer, contentType: ImageType): Promise<CleanImage> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .keepIccProfile()
    .toFormat(contentType === 'image/jpeg' ? 'jpeg' : contentType === 'image/webp' ? 'webp' : 'png', { quality: 92 })
    .toBuffer({ resolveWithObject: true })
  return { contentType, width: info.width, height: info.height, bytes: data }
}
