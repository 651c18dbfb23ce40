import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import type { Images } from '../api/files/media.ts'
import { imagesIn, isImageType } from './media/image-end.ts'

/** Refuses decompression bombs before they are decoded. */
const MAX_PIXELS = 40_000_000

/**
 * Looks at the bytes themselves: names and declared types are hearsay. An image counts only when it decodes to its end and nothing
 * else follows: what follows may be an archive or a page to others. What lies inside, as metadata does, or between the data of a
 * JPEG's last scan and its end, is not seen.
 */
export const createImages = (): Images => ({
  async inspect(bytes) {
    const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
    if (type === undefined || !isImageType(type.mime)) return null
    const [first, ...others] = imagesIn(bytes, type.mime) ?? []
    if (first === undefined) return null
    try {
      const { width, height } = await decode(first, MAX_PIXELS)
      let room = MAX_PIXELS - width * height
      for (const other of others) {
        const size = await decode(other, room)
        room -= size.width * size.height
      }
      return { contentType: type.mime, width, height }
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
async function decode(bytes: Buffer, room: number): Promise<{ readonly width: number; readonly height: number }> {
  // To sharp a limit of zero is none.
  const image = sharp(bytes, { failOn: 'warning', limitInputPixels: Math.max(room, 1) })
  const { width, height } = await image.metadata()
  await image.stats()
  return { width, height }
}
