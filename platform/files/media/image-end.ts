import { isPhoneTrailer } from './image-trailer.ts'

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** The offset after the scanned part, possibly beyond the end of a cut file; null when the structure is broken. */
type Walk = (bytes: Buffer) => number | null

const WALKS: Readonly<Record<ImageType, Walk>> = {
  'image/png': endOfPng,
  'image/jpeg': endOfJpeg,
  'image/gif': endOfGif,
  'image/webp': endOfWebp,
}

/** More than any camera makes, and few enough to decode. */
const MAX_JPEGS = 8

export const isImageType = (contentType: string): contentType is ImageType => Object.hasOwn(WALKS, contentType)

/**
 * The offset in bytes after the image's own end, by its structure; null when it is cut or broken. Decoders ignore what
 * follows, other programs do not: it may be an archive or a page. Does not read pixels. Never throws.
 */
export function endOfImage(bytes: Buffer, contentType: ImageType): number | null {
  const end = WALKS[contentType](bytes)
  return end !== null && end <= bytes.length ? end : null
}

/**
 * The images a file is made of, without the zeros behind each: one, or for JPEG as many as phones put there (what is seen, a
 * preview, depth). What else phones write behind an image is cut. Null when the file is cut or holds anything else.
 */
export function imagesIn(bytes: Buffer, contentType: ImageType): readonly Buffer[] | null {
  const images: Buffer[] = []
  let at = 0
  while (at !== -1) {
    if (images.length === (contentType === 'image/jpeg' ? MAX_JPEGS : 1)) return null
    const rest = bytes.subarray(at)
    const end = endOfImage(rest, contentType)
    if (end === null) return null
    images.push(rest.subarray(0, end))
    const next = rest.subarray(end).findIndex((byte) => byte !== 0)
    at = next === -1 || isPhoneTrailer(rest.subarray(end)) ? -1 : at + end + next
  }
  return images
}

const textAt = (bytes: Buffer, start: number, length: number): string => bytes.toString('latin1', start, start + length)

/** Chunks of a length, a name, data and a check sum; the last one is empty. */
function endOfPng(bytes: Buffer): number | null {
  if (textAt(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n') return null
  let at = 8
  while (at + 12 <= bytes.length) {
    const size = bytes.readUInt32BE(at)
    const isLast = textAt(bytes, at + 4, 4) === 'IEND'
    at += 12 + size
    if (isLast) return size === 0 ? at : null
  }
  return null
}

const TEMPORARY = 0x01
const START_OF_FRAME = 0xc0
const START_OF_IMAGE = 0xd8
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

/** Segments of a marker and a length; behind the head of each scan its data up to the next marker; then the marker of the end. */
function endOfJpeg(bytes: Buffer): number | null {
  if (bytes[0] !== 0xff || bytes[1] !== START_OF_IMAGE) return null
  let hasScan = false
  let at = 2
  while (bytes[at] === 0xff) {
    // Any number of FF may come before a marker.
    while (bytes[at] === 0xff) at += 1
    const marker = bytes[at] ?? 0
    at += 1
    if (marker === END_OF_IMAGE) return hasScan ? at : null
    if (marker === TEMPORARY) continue
    if (marker < START_OF_FRAME || marker === START_OF_IMAGE || isRestart(marker) || at + 2 > bytes.length) return null
    const size = bytes.readUInt16BE(at)
    if (size < 2) return null
    at += size
    if (marker !== START_OF_SCAN) continue
    hasScan = true
    at = endOfScan(bytes, at)
  }
  return null
}

/** Where the last FF before the next marker is. In the data of a scan FF is followed by 00, or by the marker of a restart. */
function endOfScan(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(0xff, start)
  while (at !== -1) {
    const next = bytes[at + 1] ?? END_OF_IMAGE
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
    at = bytes.indexOf(0xff, next === 0xff ? at + 1 : at + 2)
  }
  return bytes.length
}

const GIF_HEADER = 13
const EXTENSION = 0x21
const PICTURE = 0x2c
const TRAILER = 0x3b

/** A header, perhaps a table of colours, then extensions and pictures up to the trailer. */
function endOfGif(bytes: Buffer): number | null {
  if (!/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return null
  let at = GIF_HEADER + colourTable(bytes[10])
  while (at < bytes.length) {
    const block = bytes[at]
    if (block === TRAILER) return at + 1
    if (block === EXTENSION) at = endOfSubBlocks(bytes, at + 2)
    // A picture has a place of nine bytes, perhaps colours of its own, and the size of its codes before its data.
    else if (block === PICTURE) at = endOfSubBlocks(bytes, at + 11 + colourTable(bytes[at + 9]))
    else return null
  }
  return null
}

/** How many bytes the colours take that these flags announce. */
const colourTable = (flags = 0): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

/** Each begins with its length; an empty one ends them. */
function endOfSubBlocks(bytes: Buffer, start: number): number {
  let at = start
  for (let size = bytes[at]; size !== undefined && size !== 0; size = bytes[at]) at += 1 + size
  return at + 1
}

/** One RIFF chunk that whole chunks fill; those of an odd size are followed by a byte that is not counted. */
function endOfWebp(bytes: Buffer): number | null {
  if (bytes.length < 12 || textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return null
  const end = 8 + padded(bytes.readUInt32LE(4))
  let at = 12
  while (at + 8 <= Math.min(end, bytes.length)) at += 8 + padded(bytes.readUInt32LE(at + 4))
  return at === end ? end : null
}

const padded = (size: number): number => size + (size % 2)
