import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import type { CleanImage, Images } from '../api/kit/files/media.ts'
import { imagesIn, isImageType, type ImageType } from './media/image-end.ts'
import { withoutMetadata } from './media/image-strip.ts'

/** Refuses decompression bombs before they are decoded. */
const MAX_PIXELS = 40_000_000

/**
 * Looks at the bytes themselves: names and declared types are hearsay. An image counts only when it decodes to its end and nothing
 * else follows: what follows may be an archive or a page to others. Metadata is stripped (fine print 54).
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
  draw: async (svg) => sharp(Buffer.from(svg)).png().toBuffer(),
})

/** Throws unless all of the image decodes, and in as many pixels as there is room for. */
async function decode(bytes: Buffer, room: number) {
  // To sharp a limit of zero is none.
  const image = sharp(bytes, { failOn: 'warning', limitInputPixels: Math.max(room, 1) })
  const { width, height, orientation = 1 } = await image.metadata()
  await image.stats()
  return { width, height, orientation }
}

/** Drawn anew as it is meant to be seen: how the camera was held is metadata, which is not kept. */
async function upright(bytes: Buffer, contentType: ImageType): Promise<CleanImage> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .keepIccProfile()
    .toFormat(contentType === 'image/jpeg' ? 'jpeg' : contentType === 'image/webp' ? 'webp' : 'png', { quality: 92 })
    .toBuffer({ resolveWithObject: true })
  return { contentType, width: info.width, height: info.height, bytes: data }
}
