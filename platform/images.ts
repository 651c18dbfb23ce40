import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import type { CleanImage, Images } from '../api/kit/files/media.ts'
import { imagesIn, isImageType, type ImageType } from './media/image-end.ts'
import { withoutMetadata } from './media/image-strip.ts'

/** Refuses decompression bombs before they are decoded. */
const MAX_PIXELS = 40_000_000

/**
 * Checks the bytes, not names or declared types. An image is valid only when it decodes to its end and nothing
 * follows: trailing bytes may be an archive or a page to other programs. Metadata is stripped (fine print 54).
 */
export const createImages = (): Images => ({
  async inspect(bytes) {
    const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
    if (type === undefined || !isImageType(type.mime)) return null
    const [first, ...others] = imagesIn(bytes, type.mime) ?? []
    if (first === undefined) return null
    try {
      const { width, height, orientation } = await decode(first, MAX_PIXELS)
      let room = MAX_PIXELS - width * height
      for (const other of others) {
        const size = await decode(other, room)
        room -= size.width * size.height
      }
      if (orientation > 1) return await upright(first, type.mime)
      return { contentType: type.mime, width, height, bytes: withoutMetadata(first, type.mime) }
    } catch {
      return null
    }
  },
  async resize(bytes, width, height) {
    const { data, info } = await sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_PIXELS })
      .resize(width, height, { fit: 'fill' })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, contentType: `image/${info.format === 'jpg' ? 'jpeg' : info.format}` }
  },
  async square(bytes, from, side) {
    const image = sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_PIXELS })
    const cut = from === null ? image : image.extract({ left: from.x, top: from.y, width: from.size, height: from.size })
    const data = await cut.resize(side, side, { fit: 'cover' }).webp({ quality: 85 }).toBuffer()
    return { bytes: data, contentType: 'image/webp' }
  },
  draw: async (svg) => sharp(Buffer.from(svg)).png().toBuffer(),
})

/** Throws unless the whole image decodes, within the pixel limit. */
async function decode(bytes: Buffer, room: number) {
  // sharp treats a limit of zero as no limit.
  const image = sharp(bytes, { failOn: 'warning', limitInputPixels: Math.max(room, 1) })
  const { width, height, orientation = 1 } = await image.metadata()
  await image.stats()
  return { width, height, orientation }
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
