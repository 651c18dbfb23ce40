import type { ImageType } from './image-end.ts'
import { PNG_SIGNATURE, pngChunks } from './png-chunks.ts'

/**
 * A whole image without data about its author: EXIF with places and devices, XMP, IPTC, comments, and unknown blocks.
 * Pixels, colour profiles and animation stay byte for byte. Expects an image that `imagesIn` found whole.
 */
export const withoutMetadata = (image: Buffer, contentType: ImageType): Buffer => STRIP[contentType](image)

const STRIP: Readonly<Record<ImageType, (image: Buffer) => Buffer>> = {
  'image/png': stripPng,
  'image/jpeg': stripJpeg,
  'image/gif': stripGif,
  'image/webp': stripWebp,
}

const textAt = (bytes: Buffer, start: number, length: number): string => bytes.toString('latin1', start, start + length)

/** Ancillary chunks that affect rendering. Critical chunks begin with a capital letter and always stay. */
const PNG_KEPT = new Set('tRNS cHRM gAMA iCCP sBIT sRGB bKGD hIST pHYs sPLT acTL fcTL fdAT cICP mDCV cLLI'.split(' '))

function stripPng(image: Buffer): Buffer {
  const kept = pngChunks(image).filter(({ name }) => /^[A-Z]/.test(name) || PNG_KEPT.has(name))
  return Buffer.concat([PNG_SIGNATURE, ...kept.map(({ whole }) => whole)])
}

const [START_OF_SCAN, END_OF_IMAGE, TEMPORARY, COMMENT] = [0xda, 0xd9, 0x01, 0xfe]
const isApplication = (marker: number): boolean => marker >= 0xe0 && marker <= 0xef
/** Application segments that affect rendering, by marker and first bytes. */
const JPEG_KEPT: Readonly<Record<number, string>> = { 0xe0: 'JFIF', 0xe2: 'ICC_PROFILE', 0xee: 'Adobe' }

function stripJpeg(image: Buffer): Buffer {
  const kept = [image.subarray(0, 2)]
  for (let at = 2; at < image.length;) {
    const begin = at
    while (image[at] === 0xff) at += 1
    const marker = image[at] ?? END_OF_IMAGE
    at += 1
    if (marker === END_OF_IMAGE) {
      kept.push(Buffer.from([0xff, END_OF_IMAGE]))
      break
    }
    if (marker === TEMPORARY) continue
    const data = at + 2
    at += image.readUInt16BE(at)
    const opening = JPEG_KEPT[marker]
    const isMetadata =
      marker === COMMENT || (isApplication(marker) && (opening === undefined || !textAt(image, data, 12).startsWith(opening)))
    if (marker === START_OF_SCAN) at = endOfScan(image, at)
    if (!isMetadata) kept.push(image.subarray(begin, at))
  }
  return Buffer.concat(kept)
}

/** Where the next marker is that ends the data of a scan. */
function endOfScan(image: Buffer, start: number): number {
  for (let at = image.indexOf(0xff, start); at !== -1; at = image.indexOf(0xff, at + 1)) {
    const next = image[at + 1] ?? END_OF_IMAGE
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return image.length
}

const [EXTENSION, PICTURE, TRAILER] = [0x21, 0x2c, 0x3b]
const [GRAPHIC_CONTROL, APPLICATION] = [0xf9, 0xff]
/** Applications whose extension holds the repeat count of an animation. */
const GIF_KEPT = ['NETSCAPE2.0', 'ANIMEXTS1.0']
const colourTable = (flags = 0): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

function stripGif(image: Buffer): Buffer {
  let at = 13 + colourTable(image[10])
  const kept = [image.subarray(0, at)]
  while (at < image.length && image[at] !== TRAILER) {
    const begin = at
    const extension = image[at] === EXTENSION
    const label = image[at + 1]
    at = endOfSubBlocks(image, extension ? at + 2 : at + 11 + colourTable(image[at + 9]))
    const repeats = label === APPLICATION && GIF_KEPT.includes(textAt(image, begin + 3, 11))
    if (image[begin] === PICTURE || label === GRAPHIC_CONTROL || repeats) kept.push(image.subarray(begin, at))
  }
  return Buffer.concat([...kept, Buffer.from([TRAILER])])
}

function endOfSubBlocks(image: Buffer, start: number): number {
  let at = start
  for (let size = image[at]; size !== undefined && size !== 0; size = image[at]) at += 1 + size
  return at + 1
}

const WEBP_KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** Flags of the extended header that announce EXIF and XMP. */
const WEBP_METADATA = 0x08 | 0x04

function stripWebp(image: Buffer): Buffer {
  const kept: Buffer[] = []
  for (let at = 12; at + 8 <= image.length;) {
    const size = image.readUInt32LE(at + 4)
    const end = at + 8 + size + (size % 2)
    const name = textAt(image, at, 4)
    if (name === 'VP8X') {
      const header = Buffer.from(image.subarray(at, end))
      header.writeUInt8((header[8] ?? 0) & ~WEBP_METADATA, 8)
      kept.push(header)
    } else if (WEBP_KEPT.has(name)) kept.push(image.subarray(at, end))
    at = end
  }
  const body = Buffer.concat(kept)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}
