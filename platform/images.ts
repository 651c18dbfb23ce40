import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import type { Images } from '../api/files/media.ts'

const FORMATS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
/** Refuses decompression bombs before they are decoded. */
const MAX_PIXELS = 40_000_000

/** Looks at the bytes themselves: names and declared types are hearsay. An image counts only when it decodes to its end. */
export const createImages = (): Images => ({
  async inspect(bytes) {
    const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
    if (type === undefined || FORMATS[type.mime] === undefined) return null
    try {
      const image = sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_PIXELS })
      const { width, height } = await image.metadata()
      await image.stats()
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
