import { fileTypeFromBuffer } from 'file-type'
import sharp, { type Metadata } from 'sharp'
import type { CleanImage, Images, MediaFault } from '#commands/files/media'
import { pngFrameCount, pngFrames } from './apng.ts'
import { isPlainSrgb } from './image-colour.ts'
import { imagesIn, isImageType, type ImageType } from './image-end.ts'
import { withoutMetadata } from './image-strip.ts'

/** Pixels of all frames together. Refuses decompression bombs before they are decoded. */
const MAX_PIXELS = 40_000_000
/** More than half a minute of animation has at 30 frames a second. */
const MAX_FRAMES = 1000
const DECODED = { failOn: 'warning', limitInputPixels: MAX_PIXELS } as const
// libvips otherwise keeps results of operations, up to 50 MB, and no image is decoded twice.
sharp.cache(false)
// One core for each image: the others answer calls.
sharp.concurrency(1)

/**
 * Checks the bytes, not names or declared types. An image is valid only when all its frames decode to their ends, and nothing
 * follows but what phones write there: other bytes may be an archive or a page to other programs. Metadata is stripped, and what
 * is not sRGB is redrawn in it (fine print 54).
 */
export const images: Images = {
  inspect: inspected,
  resize: resized,
  square: squared,
  flat: flattened,
  draw: (svg) => sharp(Buffer.from(svg)).png().toBuffer(),
}

async function inspected(bytes: Buffer): Promise<CleanImage | MediaFault | null> {
  const contentType = await imageTypeOf(bytes)
  const [first, ...others] = contentType === null ? [] : (imagesIn(bytes, contentType) ?? [])
  if (contentType === null || first === undefined) return null
  try {
    const head = await measured(first, contentType)
    const heads = [head, ...(await Promise.all(others.map((image) => measured(image, contentType))))]
    if (head.frames > MAX_FRAMES) return { fault: 'imageFrames', params: { max: MAX_FRAMES } }
    const pixels = heads.reduce((sum, { width, height, frames }) => sum + width * height * frames, 0)
    if (pixels > MAX_PIXELS) return { fault: 'imagePixels', params: { max: MAX_PIXELS / 1_000_000 } }
    for (const image of [first, ...others]) await decode(image, head.frames)
    if (contentType === 'image/png') for (const frame of pngFrames(first)) await sharp(frame, DECODED).raw().toBuffer()
    const { width, height, frames } = head
    // An animated PNG cannot be decoded, so it is not redrawn: its profile stays.
    if (head.isAsShown || (contentType === 'image/png' && frames > 1))
      return { contentType, width, height, frames, bytes: withoutMetadata(first, contentType) }
    return await redrawn(first, contentType, frames)
  } catch {
    return null
  }
}

async function imageTypeOf(bytes: Buffer): Promise<ImageType | null> {
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined)
  // Browsers animate it as they show any other PNG.
  const mime = type?.mime === 'image/apng' ? 'image/png' : type?.mime
  return mime !== undefined && isImageType(mime) ? mime : null
}

type Measured = Pick<CleanImage, 'width' | 'height' | 'frames'> & {
  /** Whether it shows the same without its metadata: upright, in sRGB. */
  readonly isAsShown: boolean
}

/** Reads the header alone. */
async function measured(image: Buffer, contentType: ImageType): Promise<Measured> {
  const head: Metadata = await sharp(image, { failOn: 'warning', limitInputPixels: false }).metadata()
  const { width, height, pages = 1, orientation = 1 } = head
  const frames = contentType === 'image/png' ? pngFrameCount(image) : pages
  // Players of animations show them as they are stored.
  return { width, height, frames, isAsShown: isPlainSrgb(head) && (orientation === 1 || frames > 1) }
}

/** Throws unless the whole image decodes. */
async function decode(image: Buffer, frames: number): Promise<void> {
  if (frames === 1) await sharp(image, DECODED).stats()
  // Statistics of hundreds of frames take seconds. One pixel of a frame needs all of it.
  else
    await sharp(image, { ...DECODED, animated: true })
      .resize(1, 1, { fit: 'fill', kernel: 'nearest' })
      .raw()
      .toBuffer()
}

/** Upright and in sRGB: orientation is metadata, which is stripped, and exchanges do not read profiles. */
async function redrawn(image: Buffer, contentType: ImageType, frames: number): Promise<CleanImage> {
  const drawing = sharp(image, { ...DECODED, animated: frames > 1 })
  const { depth } = await drawing.metadata()
  // Images of 16 bits would pass through a wider space, and stay there.
  const piped = depth === 'ushort' ? drawing.pipelineColourspace('srgb') : drawing
  const { data, info } = await (frames > 1 ? piped : piped.autoOrient())
    .toColourspace('srgb')
    .toFormat(FORMAT[contentType], QUALITY[contentType])
    .toBuffer({ resolveWithObject: true })
  return { contentType, width: info.width, height: info.pageHeight ?? info.height, frames, bytes: data }
}

const FORMAT = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/gif': 'gif', 'image/webp': 'webp' } as const
/** Text and logos lose their edges with fewer colours than pixels. */
const QUALITY = {
  'image/png': {},
  'image/jpeg': { quality: 92, chromaSubsampling: '4:4:4' },
  'image/gif': {},
  'image/webp': { quality: 92 },
} as const

async function flattened(bytes: Buffer, { width, height }: Parameters<Images['flat']>[1]): Promise<Buffer | null> {
  try {
    return await sharp(bytes, DECODED).resize(width, height, { fit: 'inside', withoutEnlargement: true }).png().toBuffer()
  } catch {
    return null
  }
}

async function resized(bytes: Buffer, width: number, height: number) {
  const { data, info } = await sharp(bytes, { ...DECODED, animated: true })
    .resize(width, height, { fit: 'fill' })
    // Equal frames are part of its rhythm.
    .gif({ keepDuplicateFrames: true, force: false })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, contentType: `image/${info.format === 'jpg' ? 'jpeg' : info.format}` }
}

async function squared(bytes: Buffer, from: Parameters<Images['square']>[1], side: number) {
  const image = sharp(bytes, DECODED)
  const cut = from === null ? image : image.extract({ left: from.x, top: from.y, width: from.size, height: from.size })
  const data = await cut.resize(side, side, { fit: 'cover' }).webp({ quality: 85 }).toBuffer()
  return { bytes: data, contentType: 'image/webp' }
}
