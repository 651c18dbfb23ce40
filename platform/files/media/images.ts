import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import type { CleanImage, Images } from '#commands/files/media'
import { Away } from '#eventstore/away'
import { imagesIn, isImageType, type ImageType } from './image-end.ts'
import { withoutMetadata } from './image-strip.ts'

/** Of all frames together. Refuses decompression bombs before they are decoded. */
const MAX_PIXELS = 40_000_000
/** Images that a process decodes at once: decoding shares four threads with passwords and files. */
const AT_ONCE = 2
/** Images that wait for that: each takes up to a second, and callers do not wait for minutes. */
const MOST_WAITING = 30

/** Too many images wait already: 503 with Retry-After. */
class ImagesBusy extends Away {
  constructor() {
    super('Room for another image')
    this.name = 'ImagesBusy'
  }
}

/**
 * Checks the bytes, not names or declared types. An image is valid only when it decodes to its end and nothing
 * follows: trailing bytes may be an archive or a page to other programs. Metadata is stripped (fine print 54).
 */
export function createImages(): Images {
  const queued = createQueue(AT_ONCE, MOST_WAITING)
  return {
    inspect: (bytes) => queued(() => inspected(bytes)),
    resize: (bytes, width, height) => queued(() => resized(bytes, width, height)),
    square: (bytes, from, side) => queued(() => squared(bytes, from, side)),
    flat: (bytes, box) => queued(() => flattened(bytes, box)),
    draw: (svg) => queued(() => sharp(Buffer.from(svg)).png().toBuffer()),
  }
}

/** Runs so many pieces of work at once, and the others after them in order; rejects what would wait behind too many. */
function createQueue(atOnce: number, mostWaiting: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async function queued<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce && waiting.length >= mostWaiting) throw new ImagesBusy()
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
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
